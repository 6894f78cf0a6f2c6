-- What to look at, to know whether the agent of the call's session lives: its process.
create function striatumd.observe_lane_attestation(p_call striatumd.call_context, p jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return coalesce((
    select jsonb_build_object('supervisor_id', supervisor_id, 'agent_pid', agent_pid,
             'agent_start_token', agent_start_token)
      from striatumd.process_supervisors
     where session_id = coalesce(p ->> 'session_id', p_call.session_id)
       and state in ('starting', 'attached', 'detached')), '{}');
end
$$;
