-- run.cancel: ends a run that has not ended, with all of its open work and its agents.
--
-- Errors:  run_ended  it has ended, and keeps the end that it has
-- Locks:   repository (shared), run; its rows
-- Events:  run.canceled; session.closed, one a session; supervisor.stopped, one an agent
create function striatumd.run_cancel(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_run     striatumd.runs;
  v_events  jsonb;
  v_stopped jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_run from striatumd.runs where run_id = p_call.run_id for update;

  -- refuse
  if v_run.finished_at is not null then
    perform striatumd.refuse('run_ended', format('the run has ended: it is %s', v_run.state),
      jsonb_build_object('run_id', v_run.run_id, 'state', v_run.state),
      array[format('striatum run summary %s', v_run.run_id)]);
  end if;

  -- change
  v_events := striatumd.end_run(p_call, 'canceled', 'canceled_by_operator', null, p ->> 'reason');
  v_stopped := striatumd.stop_agents(p_call, p ->> 'reason');

  -- reply
  return striatumd.decided(jsonb_build_object('run_id', v_run.run_id, 'state', 'canceled',
    'was', v_run.state, 'sessions_closed', jsonb_array_length(jsonb_path_query_array(v_events,
      '$[*] ? (@.event_type == "session.closed")'))), v_events || (v_stopped -> 'events'),
    v_stopped -> 'effects');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('run.cancel', 'End a run with all of its open work', 'write', 'single_repo', 'run', true, '{
  "type": "object", "additionalProperties": false,
  "required": ["repository_id", "run_id", "reason"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "run_id":        {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The run"},
    "reason":        {"type": "string", "minLength": 1, "maxLength": 200,
                      "pattern": "^[^\\p{Cc}]+$", "description": "Why, for the record"}}}',
  '{agent_stopped}', '{run_ended}', '{run,cancel}', '{run_id}',
  '{run_id, state, was, sessions_closed}',
  '{"striatum run cancel run_0123456789abcdef --reason \"wrong branch\""}');
