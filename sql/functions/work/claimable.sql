-- The queue message that a session would get now: the oldest that is pending for its role, and for
-- its lane or any, of a job at this attempt; where it may not be any, only one that is not held
-- back, and one that wants a fresh session only where this one held no other packet. Null where
-- there is none.
--
-- Note:   the session is read by itself, so that its run and role are values: messages then come
--         out of their index in order, and the first one that fits ends the search; without
--         sorts, since statistics of an emptier queue make the planner gather and sort them all
create function striatumd.claimable(p_session_id text, p_is_any boolean default false)
  returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  set enable_sort = off
as $$
declare
  v_session    striatumd.sessions;
  v_parallel   jsonb;
  v_message_id text;
begin
  perform striatumd.assert_daemon_authority();
  select * into v_session from striatumd.sessions where session_id = p_session_id;
  v_parallel := striatumd.parallelism(v_session.run_id);
  if not p_is_any and jsonb_array_length(v_parallel -> 'active')
                        >= (v_parallel ->> 'max_active_jobs')::numeric then
    return null;
  end if;
  select m.message_id into v_message_id
    from striatumd.queue_messages m
    join striatumd.jobs j on j.job_id = m.job_id and j.attempt = m.attempt
   where m.run_id = v_session.run_id and m.role_id = v_session.role_id
     and coalesce(m.lane_id, v_session.lane_id) = v_session.lane_id
     and m.state = 'pending' and j.state = 'queued'
     and (p_is_any or not m.is_fresh or not exists (
       select from striatumd.work_packets p
        where p.session_id = p_session_id and (p.job_id, p.attempt) <> (m.job_id, m.attempt)))
     and (p_is_any or striatumd.held_back(j, v_session.lane_id, v_parallel) is null)
   order by m.message_number limit 1;
  return v_message_id;
end
$$;
