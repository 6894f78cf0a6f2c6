-- supervise.report: what a supervisor's helper says, or what the daemon saw of it: the agent
-- exited; the agent, or its helper, is gone; or it did something.
--
-- Keeps:   an event of a helper is taken in once: its number is above the last one's
--          nothing of an agent that has ended stays: its processes and its files
--          no verdict and no completion is made up: what the session held goes back, or waits
-- Locks:   run; the supervisor's row
-- Events:  supervisor.agent_exited or supervisor.lost; of its lease what recover_session says
create function striatumd.supervise_report(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_event      text := p ->> 'event';
  v_lost       boolean := p ->> 'event' in ('gone', 'helper_gone');
  v_note       text := case p ->> 'event' when 'gone' then 'process gone'
                         when 'helper_gone' then 'helper gone' else 'agent exited' end;
  v_supervisor striatumd.process_supervisors;
  v_changes    jsonb;
  v_events     jsonb := '[]'::jsonb;
  v_effects    jsonb := '[]'::jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_supervisor from striatumd.process_supervisors
   where supervisor_id = p ->> 'supervisor_id' for update;
  if (p ->> 'number')::bigint <= v_supervisor.helper_event then
    return striatumd.decided('{"is_new": false}', '[]', '[]');
  end if;

  -- change
  update striatumd.process_supervisors
     set helper_event = coalesce((p ->> 'number')::bigint, helper_event)
   where supervisor_id = v_supervisor.supervisor_id;
  if v_event = 'progress' then
    perform striatumd.touch_session(p_call, v_supervisor.session_id);
  elsif (v_lost or v_event = 'agent_exited') and v_supervisor.ended_at is null then
    v_changes := jsonb_build_array(striatumd.end_supervisor(p_call, v_supervisor.supervisor_id,
      (case when v_lost then 'lost' else 'stopped' end)::striatumd.supervisor_state,
      v_note, (p ->> 'exit_code')::integer, (p ->> 'exit_signal')::integer));
    perform from striatumd.sessions
      where session_id = v_supervisor.session_id and state = 'active';
    if found then
      v_changes := v_changes || striatumd.end_session(p_call, v_supervisor.session_id,
        (case when v_lost then 'lost' else 'stopped' end)::striatumd.session_state, null,
        v_note);
    end if;
    v_events := jsonb_build_array(striatumd.run_event(p_call,
        case when v_lost then 'supervisor.lost' else 'supervisor.agent_exited' end,
        case v_event when 'gone' then 'its process is gone' when 'helper_gone'
          then 'its helper is gone' else 'its agent exited' end, v_changes))
      || striatumd.recover_session(p_call, v_supervisor.session_id);
    v_effects := jsonb_build_array(striatumd.agent_stopped_effect(v_supervisor.supervisor_id));
  end if;

  -- reply
  return striatumd.decided(jsonb_build_object('is_new', true), v_events, v_effects);
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, internal,
  params, effects, error_codes)
values ('supervise.report', 'Takes in what a helper says about its agent', null, 'daemon_global',
  'supervisor', true, true, '{
  "type": "object", "additionalProperties": false, "required": ["supervisor_id", "event"],
  "properties": {
    "supervisor_id": {"type": "string"},
    "number":      {"type": "integer", "minimum": 1, "maximum": 9007199254740991},
    "event":       {"enum": ["agent_started", "progress", "agent_exited", "gone", "helper_gone"]},
    "exit_code":   {"type": "integer", "minimum": 0, "maximum": 255},
    "exit_signal": {"type": "integer", "minimum": 1, "maximum": 255}}}',
  '{agent_stopped}', '{}');
