-- What was published for a lease's job before, under other leases of this attempt and of the one
-- before; null where nothing was. Names are published once an attempt.
create function striatumd.packet_earlier(p_lease striatumd.leases) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select jsonb_agg(jsonb_build_object('attempt', a.attempt, 'artifact_id', a.artifact_id,
           'logical_name', a.logical_name, 'kind', a.kind, 'path', a.repo_path,
           'sha256', a.content_sha256) order by a.attempt, a.logical_name)
    from striatumd.artifacts a
   where a.job_id = (p_lease).job_id and a.lease_id <> (p_lease).lease_id
     and a.attempt >= (p_lease).attempt - 1
$$;
