-- Of what has to be there when a job ends (`relied_on`), what is not there as it was published:
-- `[{artifact_id, workflow_job_id, path, content_sha256, placement, readback}]`.
create function striatumd.lost_artifacts(p_call striatumd.call_context, p_job_id text)
  returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('artifact_id', a.artifact_id,
           'workflow_job_id', j.workflow_job_id, 'path', a.repo_path,
           'content_sha256', a.content_sha256, 'placement', a.placement, 'readback', readback)
           order by j.ordinal, a.logical_name), '[]')
    from striatumd.relied_on(p_call.run_id, p_job_id) a
    join striatumd.jobs j on j.job_id = a.job_id
   cross join striatumd.artifact_readback(p_call, a) as readback
   where readback not in ('present', 'committed')
$$;
