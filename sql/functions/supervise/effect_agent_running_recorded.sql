-- Takes the outcome of an agent's start: it is attached, with the process that the helper started;
-- or it could not be started, and the supervisor is lost.
--
-- Keeps:  of one that could not be started no file stays, and no process of a start half done
--         a supervisor that ended meanwhile stays ended, and an agent that was started for it all
--         the same is ended, too
-- Locks:  the supervisor's row
-- Events: supervisor.started, or supervisor.lost
create function striatumd.effect_agent_running_recorded(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_seen       jsonb := p -> 'seen';
  v_before     striatumd.process_supervisors;
  v_supervisor striatumd.process_supervisors;
begin
  perform striatumd.assert_daemon_authority();
  p_call.run_id := p #>> '{args,run_id}';

  -- lock
  select * into v_before from striatumd.process_supervisors
   where supervisor_id = p #>> '{args,supervisor_id}' for update;
  if v_before.ended_at is not null and p ->> 'state' = 'done' then
    return striatumd.decided('{}', '[]',
      jsonb_build_array(striatumd.agent_stopped_effect(v_before.supervisor_id)));
  elsif v_before.state is distinct from 'starting' or p ->> 'state' = 'failed' then
    return striatumd.decided('{}', '[]', '[]');
  end if;

  -- change
  if p ->> 'state' <> 'done' then
    return striatumd.decided('{}', jsonb_build_array(striatumd.run_event(p_call,
      'supervisor.lost', 'the agent could not be started', jsonb_build_array(
        striatumd.end_supervisor(p_call, v_before.supervisor_id, 'lost',
          coalesce(p ->> 'problem', 'could not be started'))))),
      jsonb_build_array(striatumd.agent_stopped_effect(v_before.supervisor_id)));
  end if;
  update striatumd.process_supervisors
     set state = 'attached', agent_pid = (v_seen ->> 'agent_pid')::integer,
         agent_start_token = v_seen ->> 'agent_start_token',
         helper_pid = (v_seen ->> 'helper_pid')::integer,
         helper_start_token = v_seen ->> 'helper_start_token',
         terminal = v_seen ->> 'terminal', observed_command = v_seen -> 'command'
   where supervisor_id = v_before.supervisor_id returning * into v_supervisor;

  -- reply
  return striatumd.decided('{}', jsonb_build_array(striatumd.run_event(p_call,
    'supervisor.started', 'supervise.start', jsonb_build_array(striatumd.moved('supervisor',
      v_supervisor.supervisor_id, striatumd.supervisor_folded(v_before),
      striatumd.supervisor_folded(v_supervisor))))), '[]');
end
$$;
