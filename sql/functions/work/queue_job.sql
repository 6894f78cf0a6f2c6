-- Puts a job's attempt into the queue. The answer is the event.
create function striatumd.queue_job(p_call striatumd.call_context, p_job_id text, p_reason text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before  striatumd.jobs;
  v_job     striatumd.jobs;
  v_message striatumd.queue_messages;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_before from striatumd.jobs where job_id = p_job_id for update;

  -- change
  update striatumd.jobs set state = 'queued' where job_id = p_job_id returning * into v_job;
  insert into striatumd.queue_messages (message_id, repository_id, run_id, job_id, attempt,
    role_id, lane_id, is_fresh, state, queued_at)
  values (striatumd.new_id('msg'), v_job.repository_id, v_job.run_id, p_job_id, v_job.attempt,
    v_job.role_id, v_job.lane_id, v_job.is_fresh, 'pending', p_call.at)
  returning * into v_message;

  -- reply
  return striatumd.run_event(p_call, 'job.queued', p_reason, jsonb_build_array(
    striatumd.moved('job', p_job_id, striatumd.job_folded(v_before), striatumd.job_folded(v_job)),
    striatumd.change('message', v_message.message_id, null, striatumd.message_folded(v_message))),
    jsonb_build_object('job_id', p_job_id, 'message_id', v_message.message_id));
end
$$;
