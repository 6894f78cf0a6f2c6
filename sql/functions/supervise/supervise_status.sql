-- supervise.status: the supervisors of a session, or of a run, the newest first, and what is known
-- of their processes.
create function striatumd.supervise_status(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return striatumd.decided(jsonb_build_object('supervisors', (
    select coalesce(jsonb_agg(jsonb_build_object('supervisor_id', u.supervisor_id,
             'session_id', u.session_id, 'run_id', u.run_id, 'state', u.state,
             'lane_backend', 'plain_pty', 'agent_pid', u.agent_pid, 'terminal', u.terminal,
             'command', u.command, 'started_at', striatumd.utc_micros(u.started_at),
             'ended_at', striatumd.utc_micros(u.ended_at), 'exit_code', u.exit_code,
             'exit_signal', u.exit_signal, 'end_reason', u.end_reason,
             'last_seen_at', striatumd.utc_micros(v.last_seen_at))
             order by u.started_at desc, u.supervisor_id), '[]')
      from striatumd.process_supervisors u
      left join striatumd.session_liveness v using (session_id)
     where u.repository_id = p_call.repository_id
       and (p ->> 'session_id' is null or u.session_id = p ->> 'session_id')
       and (p ->> 'run_id' is null or u.run_id = p ->> 'run_id'))), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  error_codes, cli_path, cli_shows, examples)
values ('supervise.status', 'Show the agents of a session or of a run', 'read', 'single_repo',
  'none', false, '{
  "type": "object", "additionalProperties": false, "required": ["repository_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
      "description": "The repository; that of the working directory"},
    "session_id": {"type": "string", "minLength": 1, "maxLength": 128,
      "description": "Of this session alone"},
    "run_id": {"type": "string", "minLength": 1, "maxLength": 128,
      "description": "Of this run alone"}}}',
  '{}', '{supervise,status}', '{supervisors}',
  '{"striatum supervise status", "striatum supervise status --run-id run_0123456789abcdef"}');
