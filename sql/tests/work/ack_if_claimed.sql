-- A packet that is accepted as its work is handed in.
begin;
select plan(4);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('s', 'author');
select tap.leased('s', 'r.draft', 'claimed');
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
create function pg_temp.acked() returns jsonb language sql as $$
  select striatumd.ack_if_claimed(pg_temp.call(), l) from striatumd.leases l
$$;

-- does
create temp table first as select pg_temp.acked() as events;
select is(jsonb_path_query_array(events, '$[*].event_type'), '["job.acked"]', 'it is on record')
  from first;
select is(events #> '{0,payload,changes,1}', jsonb_build_object('of', 'job',
  'id', tap.id('job', 'r.draft'), 'from', '{"state": "claimed"}'::jsonb,
  'to', '{"state": "running"}'::jsonb), 'the job runs') from first;
select rows_are('select j.state::text, m.state::text from striatumd.jobs j
    join striatumd.queue_messages m using (job_id)', $$ values ('running', 'acked') $$,
  'and its message is taken');
select is(pg_temp.acked(), '[]', 'one that was accepted before is not again');

select * from finish();
rollback;
