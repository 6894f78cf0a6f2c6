-- The verdicts of a run in the order in which they were recorded, with what was frozen then.
create function striatumd.run_verdicts(p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('verdict_id', v.verdict_id, 'job_id', v.job_id,
           'job', j.workflow_job_id, 'attempt', v.attempt, 'verdict', v.verdict,
           'posture', v.posture, 'basis', v.basis,
           'lane_attestation_at_record', v.lane_attestation_at_record,
           'model_identity_declared', v.model_identity_declared,
           'session', nullif(concat_ws('-', s.role_id, s.lane_id, s.ordinal), ''),
           'session_id', v.session_id, 'artifact_id', v.artifact_id,
           'recorded_by', v.recorded_by, 'recorded_at', striatumd.utc_micros(v.recorded_at))
           order by v.verdict_number), '[]')
    from striatumd.verdicts v
    join striatumd.jobs j on j.job_id = v.job_id
    left join striatumd.sessions s on s.session_id = v.session_id
   where v.run_id = p_run_id
$$;
