-- What a run has come to, as the transition that ends it finds it: its jobs, verdicts, sessions,
-- supervisors and leases, and what was recovered on the way.
create function striatumd.completion_record(p_run striatumd.runs, p_gates jsonb) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'schema_version', 'striatum.completion_record.v1',
    'run_id', p_run.run_id, 'state', p_run.state, 'stop_reason', p_run.stop_reason,
    'completion_mode', p_run.completion_mode,
    'finished_at', striatumd.utc_micros(p_run.finished_at),
    'gates', p_gates,
    'jobs', (
      select jsonb_agg(jsonb_build_object('job_id', j.job_id,
               'workflow_job_id', j.workflow_job_id, 'state', j.state, 'attempt', j.attempt)
               order by j.ordinal)
        from striatumd.jobs j where j.run_id = p_run.run_id),
    'verdicts', (
      select coalesce(jsonb_agg(jsonb_build_object('verdict_id', v.verdict_id, 'job_id', v.job_id,
               'attempt', v.attempt, 'session_id', v.session_id, 'verdict', v.verdict,
               'posture', v.posture, 'basis', v.basis,
               'lane_attestation_at_record', v.lane_attestation_at_record,
               'model_identity_declared', v.model_identity_declared)
               order by v.verdict_number), '[]')
        from striatumd.verdicts v where v.run_id = p_run.run_id),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object('session_id', s.session_id,
               'role_id', s.role_id, 'lane_id', s.lane_id, 'state', s.state,
               'close_reason', s.close_reason,
               'lane_attestation', striatumd.lane_proven(s.session_id))
               order by s.role_id, s.lane_id, s.ordinal), '[]')
        from striatumd.sessions s where s.run_id = p_run.run_id),
    'supervisors', (
      select coalesce(jsonb_agg(jsonb_build_object('supervisor_id', p.supervisor_id,
               'session_id', p.session_id, 'state', p.state, 'exit_code', p.exit_code,
               'exit_signal', p.exit_signal) order by p.started_at, p.supervisor_id), '[]')
        from striatumd.process_supervisors p where p.run_id = p_run.run_id),
    'leases', (
      select coalesce(jsonb_agg(jsonb_build_object('lease_id', l.lease_id, 'job_id', l.job_id,
               'attempt', l.attempt, 'session_id', l.session_id, 'state', l.state,
               'release_reason', l.release_reason) order by l.acquired_at, l.lease_id), '[]')
        from striatumd.leases l where l.run_id = p_run.run_id),
    'recovery', jsonb_build_object(
      'requeues', (select sum(requeues) from striatumd.jobs where run_id = p_run.run_id),
      'leases_expired', (select count(*) from striatumd.leases
                          where run_id = p_run.run_id and state = 'expired'),
      'sessions_lost', (select count(*) from striatumd.sessions
                         where run_id = p_run.run_id and state = 'lost'),
      'sessions_expired', (select count(*) from striatumd.sessions
                            where run_id = p_run.run_id and state = 'expired')))
$$;
