-- The columns of a supervisor that its events carry.
create function striatumd.supervisor_folded(p striatumd.process_supervisors) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'session_id', (p).session_id,
    'state', (p).state,
    'command', (p).command,
    'client_id', (p).client_id,
    'agent_pid', (p).agent_pid,
    'agent_start_token', (p).agent_start_token,
    'terminal', (p).terminal,
    'observed_command', (p).observed_command,
    'started_at', striatumd.utc_micros((p).started_at),
    'ended_at', striatumd.utc_micros((p).ended_at),
    'exit_code', (p).exit_code,
    'exit_signal', (p).exit_signal,
    'end_reason', (p).end_reason);
end
$$;
