-- The columns of a job that its events carry.
create function striatumd.job_folded(p striatumd.jobs) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'workflow_job_id', (p).workflow_job_id,
    'ordinal', (p).ordinal,
    'job_type', (p).job_type,
    'title', (p).title,
    'role_id', (p).role_id,
    'lane_id', (p).lane_id,
    'state', (p).state,
    'attempt', (p).attempt,
    'is_verdict', (p).is_verdict,
    'is_repo_write', (p).is_repo_write,
    'is_fresh', (p).is_fresh,
    'requeues', (p).requeues);
end
$$;
