-- The newest verdict of each job, where it does not accept and what it is of has not ended: with
-- whether the work has been revised since.
create function striatumd.open_verdicts(p_repository_id text, p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('verdict_id', v.verdict_id, 'run_id', v.run_id,
           'job_id', v.job_id, 'job', j.workflow_job_id, 'attempt', v.attempt,
           'verdict', v.verdict, 'posture', v.posture,
           'upstream_revised_after_verdict', j.attempt > v.attempt,
           'recorded_at', striatumd.utc_micros(v.recorded_at)) order by v.verdict_number), '[]')
    from striatumd.runs_in_view(p_repository_id, p_run_id) r
    join striatumd.jobs j on j.run_id = r.run_id
    join lateral (
      select * from striatumd.verdicts where job_id = j.job_id
       order by verdict_number desc limit 1) v on v.verdict in ('needs_revision', 'reject')
$$;
