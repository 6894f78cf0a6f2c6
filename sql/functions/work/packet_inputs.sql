-- What a job builds on: the artifacts of every job that leads to it, at their current attempt.
create function striatumd.packet_inputs(p_job_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with recursive before (job_id) as (
    select e.from_job_id::text from striatumd.job_edges e where e.to_job_id = p_job_id
    union
    select e.from_job_id::text from striatumd.job_edges e join before b on b.job_id = e.to_job_id)
  select coalesce(jsonb_agg(jsonb_build_object('workflow_job_id', j.workflow_job_id,
           'attempt', a.attempt, 'artifact_id', a.artifact_id, 'logical_name', a.logical_name,
           'kind', a.kind, 'path', a.repo_path, 'sha256', a.content_sha256)
           order by j.ordinal, a.logical_name), '[]')
    from before join striatumd.jobs j using (job_id)
    join striatumd.artifacts a on a.job_id = j.job_id and a.attempt = j.attempt
$$;
