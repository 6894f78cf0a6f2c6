-- supervise.start: starts the agent that the workflow names for a session's lane, in a terminal of
-- its own under a helper that outlives the daemon. The agent gets a token that is bound to the
-- session.
--
-- Keeps:   a session has one active supervisor
--          the token is written nowhere but into a file for the agent; nobody else is shown it
-- Errors:  session_inactive      the session has ended
--          supervisor_active     it has a supervisor
--          lane_not_supervised   its lane is no process that could be started
-- Locks:   run; the session's row
-- Events:  supervisor.starting; supervisor.started or supervisor.lost once the effect is recorded
create function striatumd.supervise_start(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_session    striatumd.sessions;
  v_active     text;
  v_lane       jsonb;
  v_client_id  text;
  v_supervisor striatumd.process_supervisors;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_session from striatumd.sessions
   where session_id = coalesce(p ->> 'session_id', p_call.session_id) for update;

  -- refuse
  if v_session.state <> 'active' then
    perform striatumd.refuse('session_inactive', format('the session is %s', v_session.state),
      jsonb_build_object('session_id', v_session.session_id, 'state', v_session.state),
      array[format('striatum session register %s %s %s', v_session.run_id, v_session.role_id,
        v_session.lane_id)]);
  end if;
  select supervisor_id into v_active from striatumd.process_supervisors
   where session_id = v_session.session_id and state in ('starting', 'attached', 'detached');
  if v_active is not null then
    perform striatumd.refuse('supervisor_active', 'the session has a supervisor',
      jsonb_build_object('session_id', v_session.session_id, 'supervisor_id', v_active),
      array[format('striatum supervise status --session-id %s', v_session.session_id),
            format('striatum supervise stop --session-id %s --reason TEXT', v_session.session_id)]);
  end if;
  select heading #> array['lanes', v_session.lane_id] into v_lane
    from striatumd.workflow_snapshots where run_id = v_session.run_id;
  if v_lane ->> 'adapter' is distinct from 'process'
     or jsonb_typeof(v_lane -> 'command') is distinct from 'array' then
    perform striatumd.refuse('lane_not_supervised',
      format('lane %s names no process that could be started', v_session.lane_id),
      jsonb_build_object('lane_id', v_session.lane_id, 'adapter', v_lane -> 'adapter'),
      array[format('striatum run summary %s', v_session.run_id)]);
  end if;

  -- change
  v_client_id := striatumd.new_id('client');
  insert into striatumd.clients values (v_client_id,
    left(format('%s-%s-%s', v_session.role_id, v_session.lane_id, v_session.ordinal), 200),
    decode(p_call.observed #>> '{lane_secret,hash}', 'hex'),
    decode(p_call.observed #>> '{lane_secret,salt}', 'hex'), p_call.at, null, null);
  insert into striatumd.client_capabilities (client_id, capability, repository_id, granted_at)
  select v_client_id, capability, v_session.repository_id, p_call.at
    from unnest('{read,claim,write,review}'::striatumd.capability[]) as capability;
  insert into striatumd.client_sessions
  values (v_client_id, v_session.session_id, v_session.repository_id, p_call.at);
  insert into striatumd.process_supervisors (supervisor_id, repository_id, run_id, session_id,
    state, command, client_id, started_at)
  values (striatumd.new_id('sup'), v_session.repository_id, v_session.run_id,
    v_session.session_id, 'starting', v_lane -> 'command', v_client_id, p_call.at)
  returning * into v_supervisor;

  -- reply
  return striatumd.decided(jsonb_build_object('supervisor_id', v_supervisor.supervisor_id,
      'session_id', v_session.session_id, 'run_id', v_session.run_id,
      'lane_id', v_session.lane_id, 'state', v_supervisor.state,
      'command', v_supervisor.command),
    jsonb_build_array(striatumd.run_event(p_call, 'supervisor.starting', 'supervise.start',
      jsonb_build_array(striatumd.change('supervisor', v_supervisor.supervisor_id, null,
        striatumd.supervisor_folded(v_supervisor))))),
    jsonb_build_array(jsonb_build_object('kind', 'agent_running', 'args', jsonb_build_object(
      'supervisor_id', v_supervisor.supervisor_id, 'run_id', v_session.run_id,
      'session_id', v_session.session_id, 'client_id', v_client_id,
      'repository_id', v_session.repository_id,
      'role_id', v_session.role_id, 'lane_id', v_session.lane_id,
      'command', v_supervisor.command, 'command_env', coalesce(v_lane -> 'command_env', '{}'),
      'path_prefix', coalesce(v_lane -> 'path_prefix', '[]'),
      'root', (select root from striatumd.repositories
                where repository_id = v_session.repository_id)))));
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  observers, effects, error_codes, cli_path, cli_shows, cli_note, examples)
values ('supervise.start', 'Start the agent of a session, in a terminal of its own', 'write',
  'single_repo', 'session', true, '{
  "type": "object", "additionalProperties": false, "required": ["repository_id", "session_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
      "description": "The repository; that of the working directory"},
    "session_id": {"type": "string", "minLength": 1, "maxLength": 128,
      "description": "Whose agent, as session register showed it"}}}',
  '{lane_secret}', '{agent_running}',
  '{session_inactive, supervisor_active, lane_not_supervised}', '{supervise,start}',
  '{supervisor_id, session_id, lane_id, state, command}', null,
  '{"striatum supervise start --session-id sess_0123456789abcdef"}');
