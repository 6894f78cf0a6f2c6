-- recovery.tend: recovers, on the daemon's own behalf, the work of a run whose sessions ended.
--
-- Locks:   run
-- Events:  what sweep_run says
create function striatumd.recovery_tend(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_events jsonb;
begin
  perform striatumd.assert_daemon_authority();
  v_events := striatumd.sweep_run(p_call);
  return striatumd.decided(jsonb_build_object('recovered', jsonb_array_length(v_events)), v_events,
    '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, internal,
  params, error_codes)
values ('recovery.tend', 'Recovers the work of sessions that ended', null, 'daemon_global', 'run',
  true, true, '{
  "type": "object", "additionalProperties": false, "required": ["run_id"],
  "properties": {"run_id": {"type": "string"}}}',
  '{}');
