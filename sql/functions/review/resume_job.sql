-- Puts a job that was stopped into the queue again: at the attempt that it is at, or, where a
-- session had published for that already, at the next. The answer is the events.
--
-- Keeps:  its agents may die as often again as the workflow allows, and nothing but a person's
--         decision still blocks it
--         an attempt's scope stays as it was frozen; a name is published once an attempt
-- Locks:  the job, its message, its blockers
-- Events: job.requeued, with job.queued where it has no message; or job.reopened and job.queued
create function striatumd.resume_job(p_call striatumd.call_context, p_job_id text, p_reason text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before  striatumd.jobs;
  v_job     striatumd.jobs;
  v_message striatumd.queue_messages;
  v_blocker text;
  v_is_new  boolean;
  v_changes jsonb := '[]'::jsonb;
begin
  perform striatumd.assert_daemon_authority();
  select * into strict v_before from striatumd.jobs where job_id = p_job_id for update;
  if exists (select from striatumd.leases
              where job_id = p_job_id and attempt = v_before.attempt and has_published) then
    return striatumd.reopen_job(p_call, p_job_id, p_reason);
  end if;
  for v_blocker in select blocker_id from striatumd.blockers
                    where job_id = p_job_id and state = 'open' and severity = 'blocked'
                    order by blocker_id loop
    v_changes := v_changes || striatumd.resolve_blocker(p_call, v_blocker, 'requeued');
  end loop;
  update striatumd.queue_messages set state = 'pending'
   where job_id = p_job_id and attempt = v_before.attempt and state = 'blocked'
  returning * into v_message;
  v_is_new := not found;
  update striatumd.jobs
     set state = case when v_is_new then state else 'queued' end, requeues = 0
   where job_id = p_job_id and attempt = v_before.attempt returning * into v_job;
  if not v_is_new then
    v_changes := v_changes || striatumd.moved('message', v_message.message_id,
      '{"state": "blocked"}', '{"state": "pending"}');
  end if;
  return jsonb_build_array(striatumd.run_event(p_call, 'job.requeued', p_reason,
      v_changes || striatumd.moved('job', p_job_id, striatumd.job_folded(v_before),
        striatumd.job_folded(v_job)),
      jsonb_build_object('job_id', p_job_id, 'message_id', v_message.message_id)))
    || case when v_is_new then jsonb_build_array(striatumd.queue_job(p_call, p_job_id, p_reason))
       else '[]' end;
end
$$;
