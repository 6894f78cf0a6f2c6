-- The jobs that cannot begin before a blocker of another job is resolved, or before one that failed
-- is tried again: all that comes after it and waits.
create function striatumd.blocked_downstream(p_repository_id text, p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with recursive stopped as (
    select j.job_id, j.workflow_job_id
      from striatumd.runs_in_view(p_repository_id, p_run_id) r
      join striatumd.jobs j on j.run_id = r.run_id
     where j.state in ('blocked', 'waiting_human', 'stale_lease', 'quarantined', 'failed')),
  after (job_id, stopped_by) as (
    select e.to_job_id::text, s.workflow_job_id::text
      from stopped s join striatumd.job_edges e on e.from_job_id = s.job_id
     union
    select e.to_job_id::text, a.stopped_by
      from after a join striatumd.job_edges e on e.from_job_id = a.job_id)
  select coalesce(jsonb_agg(job order by run_id, ordinal), '[]') from (
    select j.run_id, j.ordinal, jsonb_build_object('run_id', j.run_id, 'job_id', j.job_id,
             'job', j.workflow_job_id, 'state', j.state,
             'stopped_by', jsonb_agg(a.stopped_by order by a.stopped_by collate "C")) as job
      from after a join striatumd.jobs j on j.job_id = a.job_id
     where j.state = 'pending'
     group by j.job_id) as waiting
$$;
