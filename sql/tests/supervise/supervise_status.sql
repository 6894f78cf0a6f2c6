-- supervise.status: the supervisors of a session, or of a run.
begin;
select plan(7);

-- given
select tap.open_door();
select tap.run_stage(), tap.run_stage('q'), tap.run_stage('t', 'other');
select tap.session('old', 'author', p_supervisor => 'stopped'), tap.session('new', 'reviewer'),
       tap.session('q', 'author', 'q'), tap.session('t', 'author', 't');
update striatumd.process_supervisors set started_at = '2026-01-02Z'
 where supervisor_id = tap.id('sup', 'new');
update striatumd.process_supervisors
   set ended_at = '2026-01-03Z', exit_code = 2, end_reason = 'agent exited'
 where supervisor_id = tap.id('sup', 'old');
insert into striatumd.session_liveness values (tap.id('sess', 'old'), '2026-01-02Z');
create function pg_temp.status(p_params jsonb default '{}') returns jsonb language sql as $$
  select tap.ask('ada', 'supervise.status', jsonb_build_object('repository_id',
    tap.id('repo', 'app')) || p_params) #> '{data,supervisors}'
$$;
create function pg_temp.ids(p_params jsonb) returns jsonb language sql as $$
  select jsonb_path_query_array(pg_temp.status(p_params), '$[*].supervisor_id')
$$;

-- does
select is(pg_temp.ids(jsonb_build_object('run_id', tap.id('run', 'r'))), jsonb_build_array(
  tap.id('sup', 'new'), tap.id('sup', 'old')), 'of a run, the newest first');
select is(pg_temp.ids(jsonb_build_object('session_id', tap.id('sess', 'old'))), jsonb_build_array(
  tap.id('sup', 'old')), 'of a session');
select is(jsonb_array_length(pg_temp.status()), 3, 'of a repository');
select is(pg_temp.status(jsonb_build_object('session_id', tap.id('sess', 'old'))) -> 0,
  jsonb_build_object('supervisor_id', tap.id('sup', 'old'), 'session_id', tap.id('sess', 'old'),
    'run_id', tap.id('run', 'r'), 'state', 'stopped', 'lane_backend', 'plain_pty',
    'agent_pid', 4711, 'terminal', '/dev/pts/7', 'command', '["agent", "author"]'::jsonb,
    'started_at', '2026-01-01T00:00:00.000000Z', 'ended_at', '2026-01-03T00:00:00.000000Z',
    'exit_code', 2, 'exit_signal', null, 'end_reason', 'agent exited',
    'last_seen_at', '2026-01-02T00:00:00.000000Z'), 'each with its process and how it ended');

-- at the boundary
select is(pg_temp.ids(jsonb_build_object('session_id', tap.id('sess', 't'))), '[]',
  'another repository''s is not shown');
select is(pg_temp.ids(jsonb_build_object('session_id', tap.id('sess', 'q'),
  'run_id', tap.id('run', 'r'))), '[]', 'what is asked for together has to hold together');
select throws_ok($$ select striatumd.supervise_status(null, '{}') $$, '28000',
  'daemon_authority_missing', 'nobody is told without the daemon''s secret');

select * from finish();
rollback;
