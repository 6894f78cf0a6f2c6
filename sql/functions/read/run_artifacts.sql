-- What the jobs of a run have published, in the order of the workflow and of the attempts, with the
-- author line that was read from each file.
create function striatumd.run_artifacts(p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('artifact_id', a.artifact_id, 'job_id', a.job_id,
           'job', j.workflow_job_id, 'attempt', a.attempt, 'logical_name', a.logical_name,
           'kind', a.kind, 'path', a.repo_path, 'content_sha256', a.content_sha256,
           'author', coalesce(a.author_line, 'author: <missing>'), 'placement', a.placement,
           'published_at', striatumd.utc_micros(a.published_at))
           order by j.ordinal, a.attempt, a.published_at, a.logical_name collate "C"), '[]')
    from striatumd.artifacts a join striatumd.jobs j on j.job_id = a.job_id
   where a.run_id = p_run_id
$$;
