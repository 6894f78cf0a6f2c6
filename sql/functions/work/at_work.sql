-- A job that is worked on in a lane, as far as others have to make way for it; what only reviews
-- has no scope here.
create function striatumd.at_work(p_job striatumd.jobs, p_lane_id text) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'job_id', (p_job).job_id,
    'job', (p_job).workflow_job_id,
    'lane_id', p_lane_id,
    'group', pg_catalog.jsonb_extract_path_text((p_job).spec, 'parallel_group'),
    'scope', case when (p_job).is_repo_write
      then pg_catalog.jsonb_extract_path((p_job).spec, 'write_scope') end);
end
$$;
