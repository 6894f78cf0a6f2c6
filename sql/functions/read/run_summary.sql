-- run.summary: a run as it stands or as it ended: its jobs, what they published, the verdicts with
-- what was frozen in them, the sessions in the order of their registration, what blocks.
--
-- Errors: run_not_found  there is no such run in the repository, or it is not the session's own
create function striatumd.run_summary(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_run      striatumd.runs;
  v_jobs     jsonb;
  v_verdicts jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  v_run := striatumd.run_to_read(p_call, p ->> 'run_id');
  v_verdicts := striatumd.run_verdicts(v_run.run_id);
  select coalesce(jsonb_agg(jsonb_build_object('job', workflow_job_id, 'job_id', job_id,
           'workflow_job_id', workflow_job_id, 'job_type', job_type, 'role_id', role_id,
           'lane_id', lane_id, 'state', state, 'attempt', attempt, 'requeues', requeues)
           order by ordinal), '[]')
    into v_jobs from striatumd.jobs where run_id = v_run.run_id;

  -- reply
  return striatumd.decided(jsonb_build_object(
    'run', striatumd.run_shown(v_run, p_call.at),
    'jobs', v_jobs,
    'jobs_by_state', (select coalesce(jsonb_object_agg(state, count), '{}') from (
      select state, count(*) from striatumd.jobs where run_id = v_run.run_id group by state) as s),
    'artifacts', striatumd.run_artifacts(v_run.run_id),
    'verdicts', v_verdicts,
    'overrides', jsonb_path_query_array(v_verdicts, '$[*] ? (@.basis != "review")'),
    'sessions', striatumd.run_sessions(v_run.run_id),
    'blockers', striatumd.open_blockers(v_run.repository_id, v_run.run_id),
    'state_projection', striatumd.state_projection(v_run.run_id),
    'completion_record', v_run.completion_record_json::jsonb,
    'completion_record_sha256', v_run.completion_record_sha256,
    'next', jsonb_build_array(format('striatum run events %s', v_run.run_id))
      || case when v_run.finished_at is null
         then jsonb_build_array(format('striatum status --run-id %s', v_run.run_id))
         else '[]' end), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('run.summary', 'Show a run as it stands or as it ended', 'read', 'single_repo', 'none',
  false, true, '{
  "type": "object", "additionalProperties": false, "required": ["run_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "run_id":        {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The run"}}}',
  '{run_not_found}', '{run,summary}', '{run_id}',
  '{run, run_id, workflow, branch_name, completion_mode, stop_reason, created_at, started_at,
    completed_at, duration_ms, jobs, artifacts, verdicts, sessions, blockers, blocker_id, session,
    job, state, attempt, verdict, posture, basis, lane_attestation_at_record,
    supervisor_state, holds,
    closed_at, close_reason, lane_attestation, operator_label, non_fresh_reason, path,
    content_sha256, author, severity, kind, description}',
  '{"striatum run summary run_0123456789abcdef",
    "striatum run summary run_0123456789abcdef --json"}');
