-- Whether a session's agent may work: its supervisor is attached, its process is the one that was
-- started, its command the one that the workflow names. Null where it may; else what to return.
--
-- Keeps:  what was seen of another process than the row names now decides nothing
--         a supervisor that is only starting changes nothing; one whose process is gone is lost
--         with its session and all that it left running, and one that is missing leaves its
--         session expired: both stay so
-- Errors: session_backend_not_ready, observation_stale   try again
--         session_backend_missing, session_backend_gone  the session has ended
--         session_backend_unattested                     it may not work, and nothing changes
create function striatumd.lane_gate(p_call striatumd.call_context, p_session_id text)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_seen       jsonb := p_call.observed -> 'lane_attestation';
  v_supervisor striatumd.process_supervisors;
  v_next       text[] := array[format('striatum supervise start --session-id %s', p_session_id),
                               format('striatum why %s', p_session_id)];
  v_again      text[] := array['striatum session register RUN_ID ROLE LANE',
                               format('striatum why %s', p_session_id)];
  v_about      jsonb := jsonb_build_object('session_id', p_session_id);
  v_decision   striatumd.decision;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select * into v_supervisor from striatumd.process_supervisors
   where session_id = p_session_id and state in ('starting', 'attached', 'detached') for update;

  -- decide
  if not found then
    v_decision := striatumd.decided(null, jsonb_build_array(striatumd.run_event(p_call,
      'session.expired', 'no supervisor', jsonb_build_array(
        striatumd.end_session(p_call, p_session_id, 'expired', null, 'no supervisor')))), '[]');
    v_decision.refusal := striatumd.refusal('session_backend_missing',
      'no supervised agent stands behind the session, which has ended', v_about, v_again);
    return v_decision;
  end if;
  v_about := v_about || jsonb_build_object('supervisor_id', v_supervisor.supervisor_id,
    'supervisor_state', v_supervisor.state);
  if v_supervisor.state = 'starting' then
    return striatumd.unsettled('wait', null, striatumd.refusal('session_backend_not_ready',
      'the session''s agent is only being started', v_about, v_next[2:]));
  end if;
  if v_seen ->> 'supervisor_id' is distinct from v_supervisor.supervisor_id
     or v_seen -> 'agent_pid' is distinct from to_jsonb(v_supervisor.agent_pid)
     or v_seen ->> 'agent_start_token' is distinct from v_supervisor.agent_start_token then
    return striatumd.unsettled('look', null, striatumd.refusal('observation_stale',
      'the agent''s process became another one while it was looked at', v_about, v_next[2:]));
  end if;
  if v_seen ->> 'state' in ('gone', 'differs') then
    v_decision := striatumd.decided(null, jsonb_build_array(striatumd.run_event(p_call,
      'session.lost', 'the agent''s process is gone', jsonb_build_array(
        striatumd.end_supervisor(p_call, v_supervisor.supervisor_id, 'lost', 'process gone'),
        striatumd.end_session(p_call, p_session_id, 'lost', null, 'process gone')))),
      jsonb_build_array(striatumd.agent_stopped_effect(v_supervisor.supervisor_id)));
    v_decision.refusal := striatumd.refusal('session_backend_gone',
      'the process of the session''s agent is gone, and the session has ended', v_about, v_again);
    return v_decision;
  end if;
  if v_seen ->> 'state' is distinct from 'alive' or v_supervisor.state <> 'attached'
     or not striatumd.same_command(v_supervisor.observed_command, v_supervisor.command) then
    perform striatumd.refuse('session_backend_unattested',
      'nothing proves that the session''s agent is the one that the workflow names',
      v_about || jsonb_build_object('seen', v_seen -> 'state'), v_next[2:]);
  end if;
  return null;
end
$$;
