-- One look over a run for work whose session has ended.
begin;
select plan(10);

-- given: two that are gone, one that lives, one of another run
select tap.open_door();
select tap.authorize();
select tap.run_stage(), tap.run_stage('q');
select tap.session('ann', 'author'), tap.session('rob', 'reviewer'),
       tap.session('live', 'author'), tap.session('elsewhere', 'author', 'q');
select tap.queued('r.review'), tap.queued('r.synthesis');
select tap.leased('ann', 'r.draft'), tap.leased('rob', 'r.review'),
       tap.leased('live', 'r.synthesis'), tap.leased('elsewhere', 'q.draft');
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z'
 where session_id <> tap.id('sess', 'live');
select tap.told();
create temp table swept as select striatumd.sweep_run(tap.call()) as events;
select striatumd.append_events(events) from swept;

-- does
select is((select jsonb_agg(e -> 'event_type' order by e -> 'event_type')
  from jsonb_array_elements(events) as e), '["job.blocked", "lease.expired"]',
  'each lease of a session that has ended is recovered') from swept;
select tap.rows_are($$ select workflow_job_id, state from striatumd.jobs
    where run_id = tap.id('run', 'r') order by ordinal $$,
  $$ values ('draft', 'stale_lease'), ('review', 'queued'), ('synthesis', 'running') $$,
  'and whoever lives holds what it holds');
select is(state::text, 'running', 'another run is not looked at')
  from striatumd.jobs where job_id = tap.id('job', 'q.draft');
select is(striatumd.sweep_run(tap.call()), '[]', 'a second look finds nothing');
select is(striatumd.run_fold_difference(tap.id('run', 'r')), null, 'the events tell all of it');

-- B007: a fresh claim is no old one: nothing of the heartbeats before it counts
select set_config('striatum.test_now', '2026-01-05T10:00:00Z', true);
select tap.session('fresh', 'reviewer');
insert into striatumd.session_liveness
select session_id, '2026-01-05T08:00:00Z' from striatumd.sessions on conflict do nothing;
select is(tap.ask('fresh', 'work.claim_next', '{"lease_seconds": 60}',
  tap.claiming('fresh', 'r.review')) #>> '{data,status}', 'claimed', 'what was swept is claimed');
select is(jsonb_build_array(striatumd.sweep_run(tap.call('r', '2026-01-05T10:00:00Z')),
    (select expires_at from striatumd.leases
      where session_id = tap.id('sess', 'fresh')) - timestamptz '2026-01-05T10:00:00Z',
    (select last_seen_at from striatumd.session_liveness
      where session_id = tap.id('sess', 'fresh')) - timestamptz '2026-01-05T10:00:00Z'),
  '[[], "00:01:00", "00:00:00"]', 'and a look at once leaves it alone: it is seen, and lasts')
  from tap.authorize();

-- B022: however many are not to be queued again, they hide none that comes after them
select tap.run_stage('many');
insert into striatumd.jobs
select (jsonb_populate_record(j, jsonb_build_object('job_id', tap.id('job', 'many.j' || n),
         'workflow_job_id', 'j' || n, 'ordinal', 10 + n, 'is_repo_write', n > 1))).*
  from striatumd.jobs j, generate_series(1, 120) as n
 where j.job_id = tap.id('job', 'many.review');
select tap.session('s' || n, 'reviewer', 'many'), tap.queued('many.j' || n)
  from generate_series(1, 120) as n;
-- The last one that is looked at is no writer.
select tap.leased(session, 'many.j' || n) from (
  select 's' || n as session, row_number() over (order by tap.id('sess', 's' || n) desc) as n
    from generate_series(1, 120) as n) as s;
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z'
 where run_id = tap.id('run', 'many');
select striatumd.append_events(striatumd.sweep_run(tap.call('many')));
select rows_are($$ select state, count(*) from striatumd.jobs where ordinal > 10
    group by state order by state $$, $$ values ('queued', 1), ('stale_lease', 119) $$,
  'the last one is queued in the same look');

-- around
select is((select count(*) from striatumd.verdicts) + (select count(*) from striatumd.jobs
  where state = 'completed'), 0::bigint, 'no verdict and no completion is made up');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.sweep_run(null) $$, '28000', 'daemon_authority_missing',
  'nobody sweeps without the daemon''s secret');

select * from finish();
rollback;
