-- Whether the call proves that the agent of a session is the one that was started for it: its
-- supervisor is attached, its process was seen alive under its start token, its command is the one
-- that the workflow names. Says nothing about who wrote what.
create function striatumd.is_attested(p_call striatumd.call_context, p_session_id text)
  returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_seen jsonb := p_call.observed -> 'lane_attestation';
begin
  perform striatumd.assert_daemon_authority();
  return coalesce(v_seen ->> 'state' = 'alive', false) and exists (
    select from striatumd.process_supervisors s
     where s.session_id = p_session_id and s.state = 'attached'
       and s.supervisor_id = v_seen ->> 'supervisor_id'
       and to_jsonb(s.agent_pid) = v_seen -> 'agent_pid'
       and s.agent_start_token = v_seen ->> 'agent_start_token'
       and striatumd.same_command(s.observed_command, s.command));
end
$$;
