-- Accepts the packet of a lease whose session has not done so yet, and goes straight on to hand its
-- work in. The answer is the events: none where it was accepted before.
--
-- Locks:  the message, the job
-- Events: job.acked
create function striatumd.ack_if_claimed(p_call striatumd.call_context, p_lease striatumd.leases)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  update striatumd.queue_messages set state = 'acked'
   where message_id = p_lease.message_id and state = 'claimed';
  update striatumd.jobs set state = 'running'
   where job_id = p_lease.job_id and attempt = p_lease.attempt and state = 'claimed';
  if not found then
    return '[]'::jsonb;
  end if;
  return jsonb_build_array(striatumd.run_event(p_call, 'job.acked', 'handed in', jsonb_build_array(
      striatumd.moved('message', p_lease.message_id, '{"state": "claimed"}', '{"state": "acked"}'),
      striatumd.moved('job', p_lease.job_id, '{"state": "claimed"}', '{"state": "running"}')),
    jsonb_build_object('job_id', p_lease.job_id, 'message_id', p_lease.message_id,
      'lease_id', p_lease.lease_id)));
end
$$;
