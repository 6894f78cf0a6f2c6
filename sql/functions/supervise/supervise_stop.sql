-- supervise.stop: ends the agent of a session, with every process that it left behind. Its work
-- goes back into the queue, or waits for a person where it may have changed the repository.
--
-- Keeps:   stopping what has ended answers the row there is
-- Errors:  supervisor_not_found  the session never had one
-- Locks:   run; the session's and the supervisor's row
-- Events:  supervisor.stopped; of its lease what recover_session says
create function striatumd.supervise_stop(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_session_id text := coalesce(p ->> 'session_id', p_call.session_id);
  v_last       striatumd.process_supervisors;
  v_changes    jsonb;
  v_events     jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into v_last from striatumd.process_supervisors
   where session_id = v_session_id
   order by ended_at is not null, started_at desc limit 1 for update;

  -- refuse
  if not found then
    perform striatumd.refuse('supervisor_not_found', 'the session never had a supervisor',
      jsonb_build_object('session_id', v_session_id),
      array[format('striatum supervise start --session-id %s', v_session_id)]);
  end if;
  if v_last.ended_at is not null then
    return striatumd.decided(jsonb_build_object('supervisor_id', v_last.supervisor_id,
      'session_id', v_session_id, 'state', v_last.state, 'was_active', false,
      'ended_at', striatumd.utc_micros(v_last.ended_at), 'end_reason', v_last.end_reason,
      'note', 'it had ended before'), '[]', '[]');
  end if;

  -- change
  v_changes := jsonb_build_array(striatumd.end_supervisor(p_call, v_last.supervisor_id, 'stopped',
    p ->> 'reason'));
  perform from striatumd.sessions where session_id = v_session_id and state = 'active';
  if found then
    v_changes := v_changes || striatumd.end_session(p_call, v_session_id, 'stopped', null,
      p ->> 'reason');
  end if;
  v_events := jsonb_build_array(striatumd.run_event(p_call, 'supervisor.stopped',
      p ->> 'reason', v_changes, '{}', jsonb_build_object('source', 'explicit')))
    || striatumd.recover_session(p_call, v_session_id);

  -- reply
  return striatumd.decided(jsonb_build_object('supervisor_id', v_last.supervisor_id,
      'session_id', v_session_id, 'state', 'stopped', 'was_active', true), v_events,
    jsonb_build_array(striatumd.agent_stopped_effect(v_last.supervisor_id)));
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  effects, error_codes, cli_path, cli_shows, examples)
values ('supervise.stop', 'End the agent of a session and all that it left running', 'write',
  'single_repo', 'session', true, '{
  "type": "object", "additionalProperties": false,
  "required": ["repository_id", "session_id", "reason"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
      "description": "The repository; that of the working directory"},
    "session_id": {"type": "string", "minLength": 1, "maxLength": 128,
      "description": "Whose agent, as session register showed it"},
    "reason": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\p{Cc}]+$",
      "description": "Why, for the record"}}}',
  '{agent_stopped}', '{supervisor_not_found}', '{supervise,stop}',
  '{supervisor_id, session_id, state, was_active, note}',
  '{"striatum supervise stop --session-id sess_0123456789abcdef --reason ''wrong model''"}');
