-- recovery.sweep: somebody has a run looked over.
-- STR-RECOVERY-16: it resolves no human checkpoint, and queues no work again that may have changed
-- the repository.
-- STR-RECOVERY-06: what it did, and what is still stuck.
begin;
select plan(11);

-- given: an author and a reviewer that are gone, and a checkpoint
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('ann', 'author'), tap.session('rob', 'reviewer');
select tap.queued('r.review');
select tap.leased('ann', 'r.draft'), tap.leased('rob', 'r.review');
update striatumd.jobs set state = 'waiting_human' where job_id = tap.id('job', 'r.synthesis');
insert into striatumd.blockers (blocker_id, repository_id, run_id, job_id, severity, kind, state,
  description, payload_json, opened_at)
values (tap.id('blk', 'asks'), tap.id('repo', 'app'), tap.id('run', 'r'),
  tap.id('job', 'r.synthesis'), 'human_checkpoint', 'asks', 'open', 'x', '{}', '2026-01-01Z');
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z';
select tap.told();
select set_config('striatum.test_now', '2026-01-02T00:00:00Z', true);
create function pg_temp.sweep(p_more jsonb default '{}', p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'recovery.sweep', jsonb_build_object('repository_id',
    tap.id('repo', 'app'), 'run_id', tap.id('run', 'r')) || p_more)
$$;
create temp table first as select pg_temp.sweep() -> 'data' as data;
create temp table opened as select blocker_id from striatumd.blockers
 where kind = 'lease_owner_gone';

-- does
select is(data - 'actions' - 'still_stuck', jsonb_build_object('run_id', tap.id('run', 'r'),
  'run_state', 'running', 'swept_at', '2026-01-02T00:00:00.000000Z'), 'which run, and when')
  from first;
select is((select jsonb_agg(a order by a ->> 'event_type') from jsonb_array_elements(
  data -> 'actions') as a), jsonb_build_array(jsonb_build_object('event_type', 'job.blocked',
    'job_id', tap.id('job', 'r.draft')), jsonb_build_object('event_type', 'lease.expired',
    'job_id', tap.id('job', 'r.review'))), 'what was done') from first;
select is(data -> 'still_stuck', jsonb_build_array(jsonb_build_object('job_id',
    tap.id('job', 'r.synthesis'), 'blocker_id', tap.id('blk', 'asks'), 'kind', 'asks'),
    jsonb_build_object('job_id', tap.id('job', 'r.draft'), 'blocker_id', blocker_id,
      'kind', 'lease_owner_gone')), 'and what still waits for somebody, the oldest first')
  from first, opened;
select tap.rows_are($$ select workflow_job_id, state from striatumd.jobs order by ordinal $$,
  $$ values ('draft', 'stale_lease'), ('review', 'queued'), ('synthesis', 'waiting_human') $$,
  'a review goes back, a draft waits, a checkpoint stays');
select is(pg_temp.sweep() #> '{data,actions}', '[]', 'a second time there is nothing to do');
select is(jsonb_array_length(pg_temp.sweep() #> '{data,still_stuck}'), 2, 'but to be told again');

-- refuses
select is(tap.code(pg_temp.sweep('{"run_id": "run_0000000000000000"}')), 'run_not_found',
  'no such run');
select tap.client('reader', '{read,write}');
select is(tap.code(pg_temp.sweep('{}', 'reader')), 'capability_missing',
  'whoever may not recover');
select is(tap.code(pg_temp.sweep('{}', 'rob')), 'capability_denied', 'nor an agent');

-- around
select is(striatumd.run_fold_difference(tap.id('run', 'r')), null, 'the events tell all of it');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.recovery_sweep(null, '{}') $$, '28000',
  'daemon_authority_missing', 'nobody sweeps without the daemon''s secret');

select * from finish();
rollback;
