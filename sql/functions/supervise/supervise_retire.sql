-- supervise.retire: ends, on the daemon's own behalf, an agent that stays although its session has
-- ended: a run that completed lets its agents leave by themselves, and not every one does.
--
-- Keeps:   whose session is active stays, and so does what has ended
-- Locks:   run; the supervisor's row
-- Events:  supervisor.stopped
create function striatumd.supervise_retire(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_id text := p ->> 'supervisor_id';
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  perform from striatumd.process_supervisors u join striatumd.sessions s using (session_id)
    where u.supervisor_id = v_id and u.state in ('starting', 'attached', 'detached')
      and s.state <> 'active' for update of u;
  if not found then
    return striatumd.decided('{"is_retired": false}', '[]', '[]');
  end if;

  -- change, reply
  return striatumd.decided('{"is_retired": true}', jsonb_build_array(striatumd.run_event(p_call,
      'supervisor.stopped', 'its session has ended', jsonb_build_array(
        striatumd.end_supervisor(p_call, v_id, 'stopped', 'session ended')))),
    jsonb_build_array(striatumd.agent_stopped_effect(v_id)));
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, internal,
  params, effects, error_codes)
values ('supervise.retire', 'Ends an agent whose session has ended', null, 'daemon_global',
  'supervisor', true, true, '{
  "type": "object", "additionalProperties": false, "required": ["supervisor_id"],
  "properties": {"supervisor_id": {"type": "string"}}}',
  '{agent_stopped}', '{}');
