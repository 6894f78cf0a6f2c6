-- work.heartbeat: a session says that it is still at work; its lease lasts longer.
--
-- Keeps:   a heartbeat never makes a lease end earlier
-- Errors:  session_inactive, lease_not_held   as held_lease says
-- Locks:   the lease's row
-- Events:  lease.heartbeat
create function striatumd.work_heartbeat(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_lease striatumd.leases;
begin
  perform striatumd.assert_daemon_authority();
  p_call.session_id := coalesce(p ->> 'session_id', p_call.session_id);

  -- lock
  v_lease := striatumd.held_lease(p_call, p_call.session_id, p ->> 'lease_id');

  -- change
  update striatumd.leases
     set expires_at = greatest(expires_at, p_call.at + make_interval(
           secs => coalesce((p ->> 'extend_seconds')::integer, lease_seconds)))
   where lease_id = v_lease.lease_id and state = 'active' returning * into strict v_lease;

  -- reply
  return striatumd.decided(jsonb_build_object('lease_id', v_lease.lease_id,
      'job_id', v_lease.job_id, 'expires_at', striatumd.utc_micros(v_lease.expires_at)),
    jsonb_build_array(striatumd.run_event(p_call, 'lease.heartbeat', null, '[]',
      jsonb_build_object('job_id', v_lease.job_id, 'lease_id', v_lease.lease_id),
      jsonb_build_object('expires_at', striatumd.utc_micros(v_lease.expires_at)))), '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('work.heartbeat', 'Say that the work goes on', 'claim', 'single_repo', 'session', true,
  true, '{
  "type": "object", "additionalProperties": false, "required": ["lease_id"],
  "properties": {
    "repository_id":  {"type": "string", "minLength": 1, "maxLength": 128,
                       "description": "The repository; a session''s own where left out"},
    "session_id":     {"type": "string", "minLength": 1, "maxLength": 128,
                       "description": "The session; the token''s own where left out"},
    "lease_id":       {"type": "string", "minLength": 1, "maxLength": 128,
                       "description": "The lease, as the packet names it"},
    "extend_seconds": {"type": "integer", "minimum": 1, "maximum": 86400,
                       "description": "From now on; as long as at the claim if left out"}}}',
  '{session_inactive, lease_not_held}', '{heartbeat}', '{lease_id}', '{lease_id, expires_at}',
  '{"striatum heartbeat lease_0123456789abcdef"}');
