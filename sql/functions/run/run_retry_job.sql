-- run.retry_job: opens a job of a run that has not ended for another attempt: one that failed or
-- was canceled, or a completed one that a revision could open. What came after it is set back too.
--
-- Errors:  run_not_running    the run was not started, or has ended
--          job_not_retriable  it is under way, or done and no revision leads back to it
-- Locks:   repository (shared), run; its rows
-- Events:  job.retried; job.reopened; job.queued; run.resumed
create function striatumd.run_retry_job(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_run     striatumd.runs;
  v_job     striatumd.jobs;
  v_id      text;
  v_changes jsonb := '[]'::jsonb;
  v_events  jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_run from striatumd.runs where run_id = p_call.run_id for update;
  select * into strict v_job from striatumd.jobs where job_id = p ->> 'job_id' for update;

  -- refuse
  if v_run.state not in ('running', 'needs_operator') then
    perform striatumd.refuse('run_not_running', format('the run of the job is %s', v_run.state),
      jsonb_build_object('run_id', v_run.run_id, 'state', v_run.state),
      array[format('striatum why %s', v_run.run_id)]);
  end if;
  if v_job.state not in ('failed', 'canceled') and not (v_job.state = 'completed' and exists (
       select from striatumd.job_cycles where to_job_id = v_job.job_id)) then
    perform striatumd.refuse('job_not_retriable',
      format('the job is %s, and can be opened again once it failed or was canceled%s',
        v_job.state, case v_job.state when 'completed' then ', or by a revision' else '' end),
      jsonb_build_object('job_id', v_job.job_id, 'state', v_job.state),
      array[format('striatum why %s', v_job.job_id)]);
  end if;

  -- change
  for v_id in select blocker_id from striatumd.blockers
               where run_id = v_run.run_id and job_id is null and state = 'open'
                 and kind in ('provenance_gate_failed', 'artifact_unreachable')
               order by blocker_id loop
    v_changes := v_changes || striatumd.resolve_blocker(p_call, v_id, 'job_retried');
  end loop;
  v_events := jsonb_build_array(striatumd.run_event(p_call, 'job.retried', p ->> 'reason',
      v_changes, jsonb_build_object('job_id', v_job.job_id)))
    || striatumd.reopen_job(p_call, v_job.job_id, p ->> 'reason')
    || striatumd.maybe_complete_run(p_call);

  -- reply
  select * into v_job from striatumd.jobs where job_id = v_job.job_id;
  return striatumd.decided(jsonb_build_object('run_id', v_run.run_id, 'job_id', v_job.job_id,
    'workflow_job_id', v_job.workflow_job_id, 'state', v_job.state, 'attempt', v_job.attempt),
    v_events, '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  observers, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('run.retry_job', 'Open a job for another attempt', 'write', 'single_repo', 'job', true, '{
  "type": "object", "additionalProperties": false,
  "required": ["repository_id", "job_id", "reason"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "job_id":        {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The job, as list jobs shows it"},
    "reason":        {"type": "string", "minLength": 1, "maxLength": 200,
                      "pattern": "^[^\\p{Cc}]+$", "description": "Why, for the record"}}}',
  '{artifact_copies}', '{run_not_running, job_not_retriable}', '{run,retry-job}', '{job_id}',
  '{run_id, job_id, workflow_job_id, state, attempt}',
  '{"striatum run retry-job job_0123456789abcdef --reason \"the agent was misled\""}');
