-- session.close: ends a session on purpose, and the agent behind it.
--
-- Keeps:   one that has ended stays as it is, and is answered
--          whoever holds work hands it back first
-- Errors:  session_holds_lease  it holds work
-- Locks:   the session's row
-- Events:  supervisor.stopped, where an agent stood behind it; session.closed
create function striatumd.session_close(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_session    striatumd.sessions;
  v_supervisor striatumd.process_supervisors;
  v_lease_id   text;
  v_reason     text := p ->> 'reason';
  v_events     jsonb := '[]'::jsonb;
  v_effects    jsonb := '[]'::jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_session from striatumd.sessions
   where session_id = coalesce(p ->> 'session_id', p_call.session_id) for update;

  -- read
  select lease_id into v_lease_id from striatumd.leases
   where session_id = v_session.session_id and state = 'active';
  select * into v_supervisor from striatumd.process_supervisors
   where session_id = v_session.session_id and state in ('starting', 'attached', 'detached')
     for update;

  -- refuse
  if v_session.state <> 'active' then
    return striatumd.decided(striatumd.session_shown(v_session) || jsonb_build_object('note',
      format('the session was %s already; nothing was changed', v_session.state)), '[]', '[]');
  end if;
  if v_lease_id is not null then
    perform striatumd.refuse('session_holds_lease', 'the session holds work: hand it back first',
      jsonb_build_object('session_id', v_session.session_id, 'lease_id', v_lease_id),
      array[format('striatum release %s --session-id %s --reason TEXT', v_lease_id,
        v_session.session_id)]);
  end if;

  -- change
  if v_supervisor.supervisor_id is not null then
    v_events := jsonb_build_array(striatumd.run_event(p_call, 'supervisor.stopped', v_reason,
      jsonb_build_array(striatumd.end_supervisor(p_call, v_supervisor.supervisor_id, 'stopped',
        'session closed')), '{}', '{"source": "explicit_session_close"}'));
    v_effects := jsonb_build_array(striatumd.agent_stopped_effect(v_supervisor.supervisor_id));
  end if;
  v_events := v_events || striatumd.run_event(p_call, 'session.closed', v_reason,
    jsonb_build_array(striatumd.end_session(p_call, v_session.session_id, 'closed', 'explicit',
      v_reason)), '{}', jsonb_build_object('session_id', v_session.session_id,
      'role_id', v_session.role_id, 'lane_id', v_session.lane_id, 'source', 'explicit'));

  -- reply
  select * into v_session from striatumd.sessions where session_id = v_session.session_id;
  return striatumd.decided(striatumd.session_shown(v_session), v_events, v_effects);
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('session.close', 'End a session, and the agent behind it', 'write', 'single_repo',
  'session', true, true, '{
  "type": "object", "additionalProperties": false, "required": ["reason"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; a session''s own where left out"},
    "session_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The session; the token''s own where left out"},
    "reason":        {"type": "string", "minLength": 1, "maxLength": 200,
                      "pattern": "^[^\\p{Cc}]+$", "description": "Why, for the record"}}}',
  '{agent_stopped}', '{session_holds_lease}', '{session,close}', '{session_id}',
  '{session_id, slug, state, closed_at, close_reason, note}',
  '{"striatum session close sess_0123456789abcdef --reason \"its work is done\""}');
