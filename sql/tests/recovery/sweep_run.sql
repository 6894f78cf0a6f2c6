-- One look over a run for work whose session has ended.
begin;
select plan(7);

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

-- around
select is((select count(*) from striatumd.verdicts) + (select count(*) from striatumd.jobs
  where state = 'completed'), 0::bigint, 'no verdict and no completion is made up');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.sweep_run(null) $$, '28000', 'daemon_authority_missing',
  'nobody sweeps without the daemon''s secret');

select * from finish();
rollback;
