-- A verdict of an operator's, who holds no lease. Those of reviews: see submit and verdict.
-- STR-REVIEW-26: its model is unknown, and its basis says whose it is.
begin;
select plan(3);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
update striatumd.jobs set state = 'waiting_human' where job_id = tap.id('job', 'r.review');
update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.draft');
create function pg_temp.recorded() returns jsonb language plpgsql as $$
declare
  v_call striatumd.call_context;
begin
  v_call.repository_id := tap.id('repo', 'app');
  v_call.run_id := tap.id('run', 'r');
  v_call.client_id := tap.client_id('ada');
  v_call.at := '2026-01-02Z';
  v_call.observed := '{}';
  return striatumd.record_verdict(v_call, tap.id('job', 'r.review'), null, null, 'accept',
    'seen by eye', 'checkpoint_override');
end
$$;

-- does
create temp table given as select pg_temp.recorded() as events;
select is((select string_agg(value ->> 'event_type', ' ' order by n) from given,
  jsonb_array_elements(events) with ordinality as e (value, n)),
  'verdict.recorded job.completed job.queued', 'it does what an accepting one does');
select rows_are($$ select basis, session_id, lease_id, lane_attestation_at_record::text,
    model_identity_declared from striatumd.verdicts $$,
  $$ values ('checkpoint_override', null, null, null, null) $$, 'and claims no more than it is');
select is(state::text, 'queued', 'what waited for it is opened') from striatumd.jobs
 where workflow_job_id = 'synthesis';

select * from finish();
rollback;
