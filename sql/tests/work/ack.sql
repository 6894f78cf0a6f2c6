-- work.ack: a packet is taken, and the job runs.
begin;
select plan(10);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage(), tap.run_stage('s');
select tap.session('one', 'author'), tap.session('two', 'author'),
       tap.session('far', 'author', 's'), tap.leased('one', 'r.draft', 'claimed'),
       tap.leased('far', 's.draft', 'claimed');
create function pg_temp.ack(p_session text default 'one') returns jsonb language sql as $$
  select tap.ask(p_session, 'work.ack', jsonb_build_object('lease_id',
    tap.id('lease', 'oner.draft')))
$$;

-- refuses
select is(tap.code(pg_temp.ack('two')), 'lease_not_held', 'not another''s');
update striatumd.jobs set state = 'stale_lease' where job_id = tap.id('job', 'r.draft');
select is(pg_temp.ack() -> 'error', jsonb_build_object('code', 'invalid_transition', 'message',
  'the job is stale_lease', 'details', jsonb_build_object('job_id', tap.id('job', 'r.draft'),
    'state', 'stale_lease'), 'next', array['striatum why ' || tap.id('job', 'r.draft')]),
  'a job that is neither claimed nor running');
update striatumd.jobs set state = 'claimed' where job_id = tap.id('job', 'r.draft');
update striatumd.sessions set state = 'lost', closed_at = now()
 where session_id = tap.id('sess', 'two');
select is(tap.code(pg_temp.ack('two')), 'session_inactive', 'nor who has ended');
select is_empty('select from striatumd.events', 'nothing was done by that');

-- does
select is(pg_temp.ack() -> 'data' #- '{expires_at}', jsonb_build_object('lease_id',
  tap.id('lease', 'oner.draft'), 'job_id', tap.id('job', 'r.draft'), 'workflow_job_id', 'draft',
  'attempt', 1, 'job_state', 'running', 'was_acked', false), 'the job runs');
select rows_are('select state from striatumd.queue_messages order by message_number',
  array['acked', 'claimed'], 'its message is taken, its neighbour''s is not');
select rows_are('select * from tap.events()', array[
  'job.acked: message claimed -> acked, job claimed -> running'], 'with one event');
select is(pg_temp.ack() #> '{data,was_acked}', 'true', 'again it is answered likewise');
select is((select count(*) from striatumd.events), 1::bigint, 'and nothing changes');
select is(actor_session_id, tap.id('sess', 'one'), 'the event names who took it')
  from striatumd.events;

select * from finish();
rollback;
