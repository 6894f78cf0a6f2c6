-- Refuses work on a job that wants an attested lane, where the session's is not: before anything is
-- changed. What is only being started, or was not looked at yet, is for lane_gate to judge.
--
-- Errors: session_backend_unattested   start the session's agent, and try again
create function striatumd.require_attested_lane(p_call striatumd.call_context, p_job striatumd.jobs,
    p_session_id text)
  returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_seen       jsonb := p_call.observed -> 'lane_attestation';
  v_supervisor striatumd.process_supervisors;
begin
  perform striatumd.assert_daemon_authority();
  if not coalesce((p_job.spec ->> 'require_attested_lane')::boolean, false)
     or striatumd.is_attested(p_call, p_session_id) then
    return;
  end if;
  select * into v_supervisor from striatumd.process_supervisors
   where session_id = p_session_id and state in ('starting', 'attached', 'detached');
  if v_supervisor.state = 'starting' or v_supervisor.state is not null and (
       v_seen ->> 'supervisor_id' is distinct from v_supervisor.supervisor_id
       or v_seen -> 'agent_pid' is distinct from to_jsonb(v_supervisor.agent_pid)
       or v_seen ->> 'agent_start_token' is distinct from v_supervisor.agent_start_token) then
    return;
  end if;
  perform striatumd.refuse('session_backend_unattested',
    format('the job %s wants an attested lane, and nothing proves the session''s agent',
      p_job.workflow_job_id),
    jsonb_build_object('session_id', p_session_id, 'job_id', p_job.job_id,
      'supervisor_state', v_supervisor.state, 'seen', v_seen -> 'state'),
    array[format('striatum supervise start --session-id %s', p_session_id),
          format('striatum why %s', p_session_id)]);
end
$$;
