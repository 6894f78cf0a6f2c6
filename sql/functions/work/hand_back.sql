-- Ends an active lease undone, and queues its work again: at the same attempt, but at the next one
-- where something was published under the lease, since a name is published once an attempt. A lease
-- that expired counts among the requeues of its job. The answer is the events, of which the first
-- says why.
--
-- Locks:  as end_lease
-- Events: the one that is named; job.queued, where the attempt is a new one
create function striatumd.hand_back(p_call striatumd.call_context, p_lease striatumd.leases,
    p_lease_state striatumd.lease_state, p_release_reason text, p_event_type text, p_reason text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_next boolean := p_lease.has_published;
  v_before  striatumd.jobs;
  v_job     striatumd.jobs;
  v_changes jsonb;
begin
  perform striatumd.assert_daemon_authority();
  v_changes := striatumd.end_lease(p_call, p_lease.lease_id, p_lease_state, p_release_reason,
    (case when v_is_next then 'canceled' else 'pending' end)::striatumd.message_state,
    (case when v_is_next then 'pending' else 'queued' end)::striatumd.job_state);
  if v_is_next then
    update striatumd.job_attempts set ended_at = p_call.at, outcome = p_release_reason
     where job_id = p_lease.job_id and attempt = p_lease.attempt and ended_at is null;
  end if;
  if v_is_next or p_lease_state = 'expired' then
    select * into strict v_before from striatumd.jobs where job_id = p_lease.job_id for update;
    update striatumd.jobs
       set attempt = attempt + v_is_next::integer,
           requeues = requeues + (p_lease_state = 'expired')::integer
     where job_id = p_lease.job_id and attempt = p_lease.attempt returning * into strict v_job;
    v_changes := v_changes || striatumd.moved('job', v_job.job_id, striatumd.job_folded(v_before),
      striatumd.job_folded(v_job));
  end if;
  return jsonb_build_array(striatumd.run_event(p_call, p_event_type, p_reason, v_changes,
      jsonb_build_object('job_id', p_lease.job_id, 'message_id', p_lease.message_id,
        'lease_id', p_lease.lease_id)))
    || case when v_is_next
         then jsonb_build_array(striatumd.queue_job(p_call, p_lease.job_id, p_reason))
         else '[]' end;
end
$$;
