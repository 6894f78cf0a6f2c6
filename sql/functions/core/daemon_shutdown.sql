-- daemon.shutdown: lets the daemon finish what it has begun and end.
create function striatumd.daemon_shutdown(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_decision striatumd.decision := striatumd.decided('{"is_draining": true}', '[]', '[]');
begin
  perform striatumd.assert_daemon_authority();
  v_decision.wakes := '["daemon:shutdown"]';
  return v_decision;
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  error_codes, cli_path, cli_note, examples)
values ('daemon.shutdown', 'Let the daemon finish what it has begun, and end', 'admin',
  'daemon_global', 'none', false,
  '{"type": "object", "additionalProperties": false, "properties": {}}', '{}',
  '{daemon,shutdown}', 'it ends as soon as what it has begun is done',
  '{"striatum daemon shutdown"}');
