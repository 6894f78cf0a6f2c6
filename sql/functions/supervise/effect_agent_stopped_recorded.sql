-- Takes the outcome of ending an agent's processes. The row ended when the effect was ordered.
create function striatumd.effect_agent_stopped_recorded(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return striatumd.decided('{}', '[]', '[]');
end
$$;
