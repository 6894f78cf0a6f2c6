-- Puts a job that was stopped into the queue again: at the attempt that it is at, or, where a
-- session had published for that already, at the next. The answer is the events.
--
-- Keeps:  an attempt's scope stays as it was frozen; a name is published once an attempt
-- Locks:  the job, its message
-- Events: job.requeued, or job.reopened and job.queued
create function striatumd.resume_job(p_call striatumd.call_context, p_job_id text, p_reason text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before  striatumd.jobs;
  v_job     striatumd.jobs;
  v_message striatumd.queue_messages;
begin
  perform striatumd.assert_daemon_authority();
  select * into strict v_before from striatumd.jobs where job_id = p_job_id for update;
  if exists (select from striatumd.leases
              where job_id = p_job_id and attempt = v_before.attempt and has_published) then
    return striatumd.reopen_job(p_call, p_job_id, p_reason);
  end if;
  update striatumd.queue_messages set state = 'pending'
   where job_id = p_job_id and attempt = v_before.attempt and state = 'blocked'
  returning * into v_message;
  if not found then
    return jsonb_build_array(striatumd.queue_job(p_call, p_job_id, p_reason));
  end if;
  update striatumd.jobs set state = 'queued'
   where job_id = p_job_id and attempt = v_before.attempt returning * into v_job;
  return jsonb_build_array(striatumd.run_event(p_call, 'job.requeued', p_reason, jsonb_build_array(
      striatumd.moved('message', v_message.message_id, '{"state": "blocked"}',
        '{"state": "pending"}'),
      striatumd.moved('job', p_job_id, striatumd.job_folded(v_before),
        striatumd.job_folded(v_job))),
    jsonb_build_object('job_id', p_job_id, 'message_id', v_message.message_id)));
end
$$;
