-- The jobs and sessions that a name stands for, as ids, the newest run's first: as status and
-- events show them, of the runs of a repository that go on; where none does, of the newest one.
create function striatumd.ids_named(p_repository_id text, p_name text) returns text[]
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with run as (
    select * from striatumd.runs where repository_id = p_repository_id
     order by finished_at is not null, created_at desc, run_id),
  looked_at as (
    select * from run where finished_at is null
     union all
    (select * from run where not exists (select from run where finished_at is null) limit 1)),
  named (id, created_at) as (
    select j.job_id::text, r.created_at from looked_at r join striatumd.jobs j using (run_id)
     where j.workflow_job_id = p_name
     union all
    select s.session_id, r.created_at from looked_at r join striatumd.sessions s using (run_id)
     where concat_ws('-', s.role_id, s.lane_id, s.ordinal) = p_name)
  select coalesce(array_agg(id order by created_at desc, id collate "C"), '{}') from named
$$;
