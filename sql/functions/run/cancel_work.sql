-- Ends all open work of a run that is canceled: leases, messages, blockers, jobs. The answer is the
-- changes.
create function striatumd.cancel_work(p_call striatumd.call_context) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_changes jsonb := '[]'::jsonb;
  v_some    jsonb;
  v_id      text;
begin
  perform striatumd.assert_daemon_authority();
  for v_id in select lease_id from striatumd.leases
               where run_id = p_call.run_id and state = 'active' order by lease_id loop
    v_changes := v_changes || striatumd.end_lease(p_call, v_id, 'released', 'run_canceled',
      'canceled', 'canceled');
  end loop;
  for v_id in select blocker_id from striatumd.blockers
               where run_id = p_call.run_id and state = 'open' order by blocker_id loop
    v_changes := v_changes || striatumd.resolve_blocker(p_call, v_id, 'run_canceled');
  end loop;
  with open as (
    select message_id, state from striatumd.queue_messages
     where run_id = p_call.run_id and state in ('pending', 'claimed', 'acked', 'blocked')
     order by message_id for update),
  ended as (
    update striatumd.queue_messages m set state = 'canceled'
      from open o where o.message_id = m.message_id
    returning m.message_id, o.state as was)
  select coalesce(jsonb_agg(striatumd.change('message', message_id,
           jsonb_build_object('state', was), '{"state": "canceled"}') order by message_id), '[]')
    into v_some from ended;
  v_changes := v_changes || v_some;
  with open as (
    select job_id, state from striatumd.jobs
     where run_id = p_call.run_id and state not in ('completed', 'failed', 'canceled', 'skipped')
     order by job_id for update),
  ended as (
    update striatumd.jobs j set state = 'canceled' from open o where o.job_id = j.job_id
    returning j.job_id, j.ordinal, o.state as was)
  select coalesce(jsonb_agg(striatumd.change('job', job_id, jsonb_build_object('state', was),
           '{"state": "canceled"}') order by ordinal), '[]')
    into v_some from ended;
  update striatumd.job_attempts a set ended_at = p_call.at, outcome = 'canceled'
    from striatumd.jobs j
   where j.run_id = p_call.run_id and a.job_id = j.job_id and a.ended_at is null;
  return v_changes || v_some;
end
$$;
