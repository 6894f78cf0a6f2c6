-- work.release: work is handed back undone.
begin;
select plan(9);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage();
select tap.session('one', 'author'), tap.session('two', 'author'), tap.leased('one', 'r.draft');
create function pg_temp.release(p_session text default 'one') returns jsonb language sql as $$
  select tap.ask(p_session, 'work.release', jsonb_build_object('lease_id',
    tap.id('lease', 'oner.draft'), 'reason', 'wrong machine'))
$$;

-- refuses
select is(tap.code(pg_temp.release('two')), 'lease_not_held', 'not another''s');
select is_empty('select from striatumd.events', 'which changes nothing');

-- does
create temp table reply as select pg_temp.release() as is;
select is("is" -> 'data', jsonb_build_object('lease_id', tap.id('lease', 'oner.draft'), 'job_id',
  tap.id('job', 'r.draft'), 'workflow_job_id', 'draft', 'attempt', 1, 'job_state', 'queued'),
  'the job waits again, at the same attempt') from reply;
select ok("is" -> 'wakes' ? ('run:' || tap.id('run', 'r')), 'who waits is woken') from reply;
select rows_are('select * from tap.events()', array['job.released: lease active -> released, '
  'message acked -> pending, job running -> queued'], 'with one event');
select is(payload_json::jsonb ->> 'reason', 'wrong machine', 'that says why') from striatumd.events;
select is(tap.code(pg_temp.release()), 'lease_not_held', 'once');
select is(tap.ask('two', 'work.claim_next', '{}', tap.claiming('two')) #>> '{data,status}',
  'claimed', 'another session may claim it');
update striatumd.sessions set state = 'lost', closed_at = now();
select is(tap.code(pg_temp.release()), 'session_inactive', 'who has ended holds nothing');

select * from finish();
rollback;
