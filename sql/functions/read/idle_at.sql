-- Since when the agent of a session has held no work: since its start, or the end of its last
-- lease. Null where it holds some, and where no agent is attached to an active session.
create function striatumd.idle_at(p_session_id text) returns timestamptz
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select greatest(p.started_at, (
           select max(l.ended_at) from striatumd.leases l where l.session_id = s.session_id))
    from striatumd.sessions s
    join striatumd.process_supervisors p on p.session_id = s.session_id and p.state = 'attached'
   where s.session_id = p_session_id and s.state = 'active' and not exists (
     select from striatumd.leases l where l.session_id = s.session_id and l.state = 'active')
$$;
