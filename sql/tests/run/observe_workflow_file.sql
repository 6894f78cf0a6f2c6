-- What run.prepare, run.start and branch.confirm have to look at.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.repository('app');
create function pg_temp.looks(p_method text, p_params jsonb) returns jsonb language sql as $$
  select tap.ask('ada', p_method, jsonb_build_object('repository_id', tap.id('repo', 'app'))
    || p_params, '{}', '{"phase": "preflight"}') -> 'observe'
$$;

-- does
select is(pg_temp.looks('run.prepare', '{"workflow_path": "flow/wf.json"}'),
  '{"workflow_file": {"root": "/srv/app", "path": "flow/wf.json"},
    "git_head": {"root": "/srv/app"}}', 'the file below the root of the repository, and its head');
select is(pg_temp.looks('run.prepare', '{"workflow_path": "/etc/x"}') #>> '{workflow_file,path}',
  '/etc/x', 'the path as it was given');
select tap.run_stage();
select is(pg_temp.looks('branch.confirm', jsonb_build_object('run_id', tap.id('run', 'r'))),
  '{"git_head": {"root": "/srv/app"}}', 'of a run its repository''s head');
select is(pg_temp.looks('run.start', jsonb_build_object('run_id', tap.id('run', 'r'))),
  '{"workflow_file": {"root": "/srv/app", "path": "workflow.json"}}',
  'and the file of which it was made');

-- around
select throws_ok($$ select striatumd.observe_workflow_file(null, '{}') $$, '28000',
  'daemon_authority_missing', 'no root is told without the daemon''s secret');
select throws_ok($$ select striatumd.observe_git_head(null, '{}') $$, '28000',
  'daemon_authority_missing', 'by neither');

select * from finish();
rollback;
