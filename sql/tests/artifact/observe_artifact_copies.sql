-- What is looked at before stopped work goes on.
begin;
select plan(4);

-- given
select tap.open_door();
select tap.run_stage();
create function pg_temp.published(p_name text, p_attempt int default 1) returns void
  language plpgsql as $$ begin
  execute (select tap.row_of('artifacts', to_jsonb(j), jsonb_build_object('artifact_id',
    tap.id('art', p_name || p_attempt), 'attempt', p_attempt, 'session_id', tap.id('sess', 's'),
    'lease_id', tap.id('lease', 'l'), 'logical_name', p_name, 'kind', 'handoff',
    'repo_path', format('docs/%s.md', p_name), 'octets', 1, 'content_sha256', repeat('d', 64),
    'placement', 'git_publication', 'published_at', now()))
    from striatumd.jobs j where job_id = tap.id('job', 'r.draft'));
end $$;
select pg_temp.published('draft'), pg_temp.published('more');
do $$ begin
  execute tap.row_of('blockers', jsonb_build_object('blocker_id', tap.id('blk', 'b'),
    'repository_id', tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'),
    'job_id', tap.id('job', 'r.draft'), 'severity', 'blocked', 'kind', 'x', 'state', 'open',
    'description', 'x', 'payload_json', '{}', 'opened_at', now()), '{}');
end $$;
create function pg_temp.look() returns jsonb language sql as $$
  select tap.ask('ada', 'checkpoint.resolve', jsonb_build_object('choice', 'continue',
    'repository_id', tap.id('repo', 'app'), 'reason', 'x', 'blocker_id', tap.id('blk', 'b')),
    '{}', '{"phase": "preflight"}') #> '{observe,artifact_copies}'
$$;

-- does
select is(pg_temp.look(), jsonb_build_object('root', '/srv/app', 'files', jsonb_build_array(
  jsonb_build_object('path', 'docs/draft.md', 'sha256', repeat('d', 64)))),
  'the required artifacts of its job''s attempt');
select is(tap.after('update striatumd.blockers set job_id = null', 'select pg_temp.look()')::jsonb,
  '{"root": "/srv/app", "files": []}', 'none, where it is about the run, and nothing is completed');
select is(tap.after($$ update striatumd.blockers set job_id = null;
    update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.draft') $$,
  $$ select pg_temp.look() #>> '{files,0,path}' $$), 'docs/draft.md', 'else what was completed');
select tap.session('s', 'author'), tap.leased('s', 'r.draft');
select is(tap.ask('s', 'work.complete', jsonb_build_object('lease_id', tap.id('lease',
    'sr.draft')), '{}', '{"phase": "preflight"}') #> '{observe,artifact_copies}', pg_temp.look(),
  'and of a lease, what its job relies on');

select * from finish();
rollback;
