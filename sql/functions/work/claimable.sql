-- The queue message that a session would get now: the oldest that is pending for its role, and for
-- its lane or any, of a job at this attempt; one that wants a fresh session only where this one
-- held no other packet, or where it may be any. Null where there is none.
create function striatumd.claimable(p_session_id text, p_is_any boolean default false)
  returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select m.message_id::text
    from striatumd.sessions s
    join striatumd.queue_messages m
      on m.run_id = s.run_id and m.role_id = s.role_id
     and coalesce(m.lane_id, s.lane_id) = s.lane_id
    join striatumd.jobs j on j.job_id = m.job_id and j.attempt = m.attempt
   where s.session_id = p_session_id and m.state = 'pending' and j.state = 'queued'
     and (p_is_any or not m.is_fresh or not exists (
       select from striatumd.work_packets p
        where p.session_id = s.session_id and (p.job_id, p.attempt) <> (m.job_id, m.attempt)))
   order by m.message_number limit 1
$$;
