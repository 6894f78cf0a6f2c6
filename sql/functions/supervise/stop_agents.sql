-- Ends the agents of a run that was canceled or has failed: nobody waits for what they do. Those of
-- a run that completed leave by themselves. The answer is the events and the effects that it takes.
--
-- Locks:  the supervisors' rows, in the order of their ids
-- Events: supervisor.stopped, one an agent
create function striatumd.stop_agents(p_call striatumd.call_context, p_reason text) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_id      text;
  v_source  text;
  v_events  jsonb := '[]'::jsonb;
  v_effects jsonb := '[]'::jsonb;
begin
  perform striatumd.assert_daemon_authority();
  for v_id, v_source in
    select p.supervisor_id, 'run_' || r.state
      from striatumd.runs r
      join striatumd.process_supervisors p on p.run_id = r.run_id and p.ended_at is null
     where r.run_id = p_call.run_id and r.state in ('canceled', 'failed')
     order by p.supervisor_id for update of p
  loop
    v_events := v_events || striatumd.run_event(p_call, 'supervisor.stopped', p_reason,
      jsonb_build_array(striatumd.end_supervisor(p_call, v_id, 'stopped', 'run ended')), '{}',
      jsonb_build_object('source', v_source));
    v_effects := v_effects || striatumd.agent_stopped_effect(v_id);
  end loop;
  return jsonb_build_object('events', v_events, 'effects', v_effects);
end
$$;
