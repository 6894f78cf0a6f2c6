-- What the lane of a session had proved when it last acted: as its last verdict froze it; else, of
-- one that claimed work, whether the process that was started for it was the lane's own, without
-- which it could have claimed none. Null of one that did neither: nothing was asked of it.
create function striatumd.lane_proven(p_session_id text) returns striatumd.lane_attestation
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (select v.lane_attestation_at_record from striatumd.verdicts v
      where v.session_id = p_session_id order by v.verdict_number desc limit 1),
    (select (case when exists (
         select from striatumd.process_supervisors p
          where p.session_id = p_session_id and p.agent_pid is not null
            and striatumd.same_command(p.observed_command, p.command))
       then 'attested' else 'unattested' end)::striatumd.lane_attestation
      where exists (select from striatumd.leases where session_id = p_session_id)))
$$;
