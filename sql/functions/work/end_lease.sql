-- Ends an active lease, and sets what its session held to what it is from now on: the message's
-- state and the job's. The answer is the changes, for the event that says why.
create function striatumd.end_lease(p_call striatumd.call_context, p_lease_id text,
    p_lease_state striatumd.lease_state, p_reason text, p_message_state striatumd.message_state,
    p_job_state striatumd.job_state)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_lease   striatumd.leases;
  v_message striatumd.queue_messages;
  v_job     striatumd.jobs;
  v_changes jsonb;
  v_before  jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_lease from striatumd.leases where lease_id = p_lease_id for update;
  select * into strict v_message from striatumd.queue_messages
   where message_id = v_lease.message_id for update;
  select * into strict v_job from striatumd.jobs where job_id = v_lease.job_id for update;

  -- change
  v_before := striatumd.lease_folded(v_lease);
  update striatumd.leases
     set state = p_lease_state, ended_at = p_call.at, release_reason = p_reason
   where lease_id = p_lease_id and state = 'active' returning * into strict v_lease;
  v_changes := jsonb_build_array(striatumd.moved('lease', p_lease_id, v_before,
    striatumd.lease_folded(v_lease)));
  v_before := striatumd.message_folded(v_message);
  update striatumd.queue_messages set state = p_message_state
   where message_id = v_message.message_id returning * into v_message;
  v_changes := v_changes || striatumd.moved('message', v_message.message_id, v_before,
    striatumd.message_folded(v_message));
  v_before := striatumd.job_folded(v_job);
  update striatumd.jobs set state = p_job_state where job_id = v_job.job_id returning * into v_job;
  return v_changes || striatumd.moved('job', v_job.job_id, v_before, striatumd.job_folded(v_job));
end
$$;
