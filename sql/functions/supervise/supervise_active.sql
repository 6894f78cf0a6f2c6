-- supervise.active: the supervisors whose helpers the daemon has to follow; those of them whose
-- session ended more than a minute ago, so that they are retired; and the runs in which a lease is
-- held by a session that has ended, so that they are tended.
create function striatumd.supervise_active(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return striatumd.decided(jsonb_build_object(
    'supervisors', (
      select coalesce(jsonb_agg(jsonb_build_object('supervisor_id', supervisor_id,
               'state', state, 'agent_pid', agent_pid, 'agent_start_token', agent_start_token,
               'helper_pid', helper_pid, 'helper_start_token', helper_start_token,
               'helper_event', helper_event) order by started_at, supervisor_id), '[]')
        from striatumd.process_supervisors where state in ('starting', 'attached', 'detached')),
    'stayed', (
      select coalesce(jsonb_agg(u.supervisor_id order by u.supervisor_id), '[]')
        from striatumd.process_supervisors u join striatumd.sessions s using (session_id)
       where u.state in ('attached', 'detached')
         and s.closed_at < p_call.at - interval '1 minute'),
    'runs', (
      select coalesce(jsonb_agg(distinct l.run_id::text), '[]')
        from striatumd.leases l join striatumd.sessions s using (session_id)
       where l.state = 'active' and s.state <> 'active')), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, internal,
  params, error_codes)
values ('supervise.active', 'Lists what the daemon has to keep an eye on', null, 'daemon_global',
  'none', false, true, '{"type": "object", "additionalProperties": false, "properties": {}}', '{}');
