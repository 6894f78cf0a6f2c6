-- list.sessions: the sessions of a run in the order of their registration.
--
-- Errors: run_not_found  there is no such run in the repository, or it is not the session's own
create function striatumd.list_sessions(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_run striatumd.runs;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  v_run := striatumd.run_to_read(p_call, p ->> 'run_id');

  -- reply
  return striatumd.decided(jsonb_build_object('run_id', v_run.run_id,
    'sessions', striatumd.run_sessions(v_run.run_id)), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('list.sessions', 'List the sessions of a run', 'read', 'single_repo', 'none', false, true,
  '{
  "type": "object", "additionalProperties": false, "required": ["run_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "run_id":        {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The run"}}}',
  '{run_not_found}', '{list,sessions}', '{run_id}',
  '{sessions, session_id, session, state, supervisor_state, holds, idle_at,
    registered_at, closed_at, close_reason, operator_label}',
  '{"striatum list sessions run_0123456789abcdef",
    "striatum list sessions run_0123456789abcdef --json"}');
