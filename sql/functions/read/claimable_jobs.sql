-- The work that waits for a session, in the order of the queue: with the role and lane that it is
-- for, how many active sessions of those there are, and why it has to wait for other work, once
-- whatever is before it in the queue was begun (`held_back`: null, or `{reason, message}`).
create function striatumd.claimable_jobs(p_repository_id text, p_run_id text) returns jsonb
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_run_id   text;
  v_message  striatumd.queue_messages;
  v_job      striatumd.jobs;
  v_parallel jsonb;
  v_held     jsonb;
  v_jobs     jsonb := '[]'::jsonb;
  c_most     constant integer := 100;    -- more at once are not compared with each other
begin
  perform striatumd.assert_daemon_authority();
  for v_message in
    select m.* from striatumd.runs_in_view(p_repository_id, p_run_id) r
      join striatumd.queue_messages m on m.run_id = r.run_id and m.state = 'pending'
     where r.state = 'running' order by m.message_number
  loop
    select * into strict v_job from striatumd.jobs where job_id = v_message.job_id;
    v_run_id := v_message.run_id;
    if v_parallel is null or not v_parallel ? v_run_id then
      v_parallel := coalesce(v_parallel, '{}')
        || jsonb_build_object(v_run_id, striatumd.parallelism(v_run_id));
    end if;
    v_held := striatumd.held_back(v_job, v_message.lane_id, v_parallel -> v_run_id);
    if v_held is null
       and jsonb_array_length(v_parallel #> array[v_run_id, 'active']) < c_most then
      v_parallel := jsonb_set(v_parallel, array[v_run_id, 'active'],
        v_parallel #> array[v_run_id, 'active'] || striatumd.at_work(v_job, v_message.lane_id));
    end if;
    v_jobs := v_jobs || jsonb_build_object('run_id', v_run_id, 'job_id', v_job.job_id,
      'job', v_job.workflow_job_id, 'attempt', v_message.attempt, 'role_id', v_message.role_id,
      'lane_id', v_message.lane_id, 'is_fresh', v_message.is_fresh, 'active_sessions', (
        select count(*) from striatumd.sessions s
         where s.run_id = v_run_id and s.state = 'active' and s.role_id = v_message.role_id
           and (v_message.lane_id is null or s.lane_id = v_message.lane_id)),
      'held_back', v_held - 'job_id',
      'queued_at', striatumd.utc_micros(v_message.queued_at));
  end loop;
  return v_jobs;
end
$$;
