-- supervise.active: what the daemon has to keep an eye on.
begin;
select plan(10);

-- given
select tap.open_door();
select tap.run_stage(), tap.run_stage('q', 'other'), tap.run_stage('t');
create function pg_temp.active() returns jsonb language sql as $$
  select tap.ask(null, 'supervise.active', '{}', '{}', '{"transport": "internal"}') -> 'data'
$$;
select is(pg_temp.active(), '{"supervisors": [], "runs": [], "stayed": []}', 'nothing at first');
select tap.session('a', 'author'), tap.session('b', 'reviewer', 'q', 'starting'),
       tap.session('lost', 'author', p_supervisor => 'lost'),
       tap.session('bare', 'author', p_supervisor => null),
       tap.session('c', 'author', 't');
update striatumd.process_supervisors set helper_event = 7, started_at = '2026-01-01 00:00:01Z'
 where supervisor_id = tap.id('sup', 'a');

-- does
select is(jsonb_path_query_array(pg_temp.active(), '$.supervisors[*].supervisor_id'),
  (select jsonb_agg(id) from (select tap.id('sup', name) as id from unnest('{b,c}'::text[]) as name
    order by 1) early) || jsonb_build_array(tap.id('sup', 'a')),
  'the supervisors that have not ended, of all repositories, in the order of their start');
select is(pg_temp.active() #> '{supervisors,2}', jsonb_build_object('supervisor_id',
  tap.id('sup', 'a'), 'state', 'attached', 'agent_pid', 4711, 'agent_start_token', 'boot:1',
  'helper_pid', 4710, 'helper_start_token', 'boot:0', 'helper_event', 7),
  'each with its processes and the last event that was taken in');
select tap.leased('a', 'r.draft'), tap.leased('c', 't.draft');
select is(pg_temp.active() -> 'runs', '[]', 'whoever lives holds what it holds');
select is(pg_temp.active() -> 'stayed', '[]', 'and whose session lives belongs here');
select is(tap.after(format($$ update striatumd.sessions set state = 'closed',
    close_reason = 'run_completed', closed_at = now() - interval '%s s' where session_id = '%s' $$,
    s, tap.id('sess', 'a')), $$ select pg_temp.active() -> 'stayed' $$), answer::text,
  format('an agent whose session ended %s s ago', s))
  from (values (50, '[]'), (70, jsonb_build_array(tap.id('sup', 'a'))::text)) as ends (s, answer);
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z'
 where session_id = tap.id('sess', 'c');
select is(pg_temp.active() -> 'runs', jsonb_build_array(tap.id('run', 't')),
  'a run in which a session ended that holds something');

-- around
select is(tap.code(tap.ask('ada', 'supervise.active', '{}')), 'method_unknown',
  'it is the daemon''s alone');
select throws_ok($$ select striatumd.supervise_active(null, '{}') $$, '28000',
  'daemon_authority_missing', 'and not without its secret');

select * from finish();
rollback;
