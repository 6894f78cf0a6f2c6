-- A job that is decided, and what hangs on it.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('s', 'author');
select tap.leased('s', 'r.draft');
create function pg_temp.call() returns striatumd.call_context language plpgsql as $$
declare
  v_call striatumd.call_context;
begin
  v_call.repository_id := tap.id('repo', 'app');
  v_call.run_id := tap.id('run', 'r');
  v_call.client_id := tap.client_id('ada');
  v_call.at := '2026-01-02Z';
  v_call.observed := '{}';
  return v_call;
end
$$;
create function pg_temp.settled(p_lease text, p_message text, p_job text) returns jsonb
  language sql as $$
  select striatumd.settle_job(pg_temp.call(), tap.id('job', 'r.draft'), p_lease, 'said_so',
    p_message::striatumd.message_state, p_job::striatumd.job_state)
$$;
create function pg_temp.seen() returns text language sql as $$
  select concat_ws(' ', j.state, m.state, l.state, l.release_reason, a.outcome, a.ended_at is null)
    from striatumd.jobs j join striatumd.queue_messages m using (job_id)
    join striatumd.leases l using (job_id) join striatumd.job_attempts a using (job_id)
$$;

-- does
select is(tap.after(format($$ select pg_temp.settled(%L, 'done', 'completed') $$,
  tap.id('lease', 'sr.draft')), 'select pg_temp.seen()'),
  'completed done released said_so completed f', 'with the lease under which it was judged');
select is(tap.after($$ select pg_temp.settled(null, 'canceled', 'canceled') $$,
  'select pg_temp.seen()'), 'canceled canceled active canceled f',
  'without one, the message alone');
select is(tap.after($$ select pg_temp.settled(null, 'blocked', 'waiting_human') $$,
  'select pg_temp.seen()'), 'waiting_human blocked active t', 'one that waits has no outcome yet');
create temp table changes as select pg_temp.settled(null, 'done', 'completed') as of_it;
select is(jsonb_path_query_array(of_it, '$[*].of'), '["message", "job"]', 'what changed, once')
  from changes;
select is(of_it #> '{0,from,state}', '"acked"', 'from what it was') from changes;
select is(of_it #> '{1,to}', '{"state": "completed"}', 'to what it is') from changes;

select * from finish();
rollback;
