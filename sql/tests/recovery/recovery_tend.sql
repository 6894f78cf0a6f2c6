-- recovery.tend: the daemon looks over a run on its own behalf.
begin;
select plan(10);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage(), tap.run_stage('q', 'other');
select tap.session('rob', 'reviewer'), tap.session('elsewhere', 'reviewer', 'q');
select tap.queued('r.review'), tap.queued('q.review');
select tap.leased('rob', 'r.review'), tap.leased('elsewhere', 'q.review');
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z';
select tap.told();
create function pg_temp.tend() returns jsonb language sql as $$
  select tap.ask(null, 'recovery.tend', jsonb_build_object('run_id', tap.id('run', 'r')), '{}',
    '{"transport": "internal"}')
$$;
create temp table first as select pg_temp.tend() as reply;

-- does
select is(reply -> 'data', '{"recovered": 1}', 'one is recovered') from first;
select is(reply -> 'wakes', jsonb_build_array('events:' || tap.id('run', 'r'),
  'run:' || tap.id('run', 'r')), 'and whoever waits for work is told') from first;
select is(state::text, 'queued', 'its work is queued again')
  from striatumd.jobs where job_id = tap.id('job', 'r.review');
select is(concat_ws(' ', method, client_id, repository_id, transport), 'recovery.tend '
  'striatumd-i-1 ' || tap.id('repo', 'app') || ' internal', 'the daemon is on record')
  from striatumd.audit_log;
select ok(tap.holds('striatum:run:' || tap.id('repo', 'app') || ':' || tap.id('run', 'r')),
  'under the lock of the run');
select is(pg_temp.tend() -> 'data', '{"recovered": 0}', 'a second time there is nothing to do');

-- around
select is(state::text, 'running', 'another run is not looked at')
  from striatumd.jobs where job_id = tap.id('job', 'q.review');
select is(striatumd.run_fold_difference(tap.id('run', 'r')), null, 'the events tell all of it');
select is(tap.code(tap.ask('ada', 'recovery.tend', '{}')), 'method_unknown',
  'it is the daemon''s alone');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.recovery_tend(null, '{}') $$, '28000',
  'daemon_authority_missing', 'and not without its secret');

select * from finish();
rollback;
