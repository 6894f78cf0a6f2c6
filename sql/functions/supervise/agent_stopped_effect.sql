-- The effect that ends a supervisor's processes, as a decision orders it.
create function striatumd.agent_stopped_effect(p_supervisor_id text) returns jsonb
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return (select jsonb_build_object('kind', 'agent_stopped', 'args', jsonb_build_object(
            'supervisor_id', supervisor_id, 'run_id', run_id, 'agent_pid', agent_pid,
            'agent_start_token', agent_start_token, 'helper_pid', helper_pid,
            'helper_start_token', helper_start_token))
            from striatumd.process_supervisors where supervisor_id = p_supervisor_id);
end
$$;
