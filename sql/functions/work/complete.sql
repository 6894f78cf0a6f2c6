-- work.complete: a session says that the work is done; what waited for it comes into the queue, and
-- the run ends where nothing is left.
--
-- Keeps:   a job that ends by a verdict is not completed without one
--          nothing is completed before what it builds on, and that only by an accepting verdict
--          nor while something that it had to publish is not there as it was published
-- Errors:  session_inactive, lease_not_held  as held_lease says
--          invalid_transition                the job is not running, or ends by a verdict
--          artifact_missing                  what has to be published is not; all of it is listed
--          artifact_uninspectable            it is not there any more as it was published
--          session_backend_not_ready, observation_stale, session_backend_missing,
--          session_backend_gone, session_backend_unattested  as lane_gate says
-- Locks:   the lease, the supervisor, the message, the jobs
-- Events:  job.completed; job.queued; those of the run's end
create function striatumd.work_complete(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_lease    striatumd.leases;
  v_job      striatumd.jobs;
  v_decision striatumd.decision;
  v_problem  text;
  v_events   jsonb;
begin
  perform striatumd.assert_daemon_authority();
  p_call.session_id := coalesce(p ->> 'session_id', p_call.session_id);

  -- lock
  v_lease := striatumd.held_lease(p_call, p_call.session_id, p ->> 'lease_id');
  select * into strict v_job from striatumd.jobs where job_id = v_lease.job_id for update;

  -- refuse
  v_decision := striatumd.lane_gate(p_call, p_call.session_id);
  if v_decision is distinct from null then
    return v_decision;
  end if;
  v_problem := striatumd.completion_problem(v_job);
  if v_problem is not null then
    perform striatumd.refuse('invalid_transition', v_problem,
      jsonb_build_object('job_id', v_job.job_id, 'state', v_job.state), array[case
        when v_job.is_verdict
          then format('striatum submit-review %s PATH VERDICT', v_lease.lease_id)
        when v_job.state = 'claimed' then format('striatum ack %s', v_lease.lease_id)
        else format('striatum why %s', v_job.job_id) end]);
  end if;
  perform striatumd.refuse_missing_artifacts(v_job, v_lease.lease_id);
  v_decision := striatumd.artifacts_unseen(p_call, v_job.job_id);
  if v_decision is distinct from null then
    return v_decision;
  end if;
  perform striatumd.refuse_uninspectable(p_call, v_job,
    array[format('striatum complete %s', v_lease.lease_id),
      format('striatum release %s --reason TEXT', v_lease.lease_id)]);

  -- change
  v_events := jsonb_build_array(striatumd.run_event(p_call, 'job.completed', null,
    striatumd.end_lease(p_call, v_lease.lease_id, 'released', 'completed', 'done', 'completed'),
    jsonb_build_object('job_id', v_job.job_id, 'message_id', v_lease.message_id,
      'lease_id', v_lease.lease_id)));
  update striatumd.job_attempts set ended_at = p_call.at, outcome = 'completed'
   where job_id = v_job.job_id and attempt = v_job.attempt;
  v_events := v_events || striatumd.queue_ready(p_call, v_job.job_id,
    v_job.workflow_job_id || ' was completed');
  v_events := v_events || striatumd.maybe_complete_run(p_call);

  -- reply
  return striatumd.decided(jsonb_build_object('lease_id', v_lease.lease_id,
    'job_id', v_job.job_id, 'workflow_job_id', v_job.workflow_job_id, 'attempt', v_job.attempt,
    'job_state', (select state from striatumd.jobs where job_id = v_job.job_id),
    'run_id', p_call.run_id,
    'run_state', (select state from striatumd.runs where run_id = p_call.run_id),
    'queued', (select coalesce(jsonb_agg(workflow_job_id order by ordinal), '[]')
                 from striatumd.jobs
                where job_id in (select value ->> 'job_id' from jsonb_array_elements(v_events)
                                  where value ->> 'event_type' = 'job.queued'))), v_events, '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, observers, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('work.complete', 'Say that the work is done', 'claim', 'single_repo', 'session', true, true,
  '{
  "type": "object", "additionalProperties": false, "required": ["lease_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; a session''s own where left out"},
    "session_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The session; the token''s own where left out"},
    "lease_id":      {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The lease, as the packet names it"}}}',
  '{lane_attestation, artifact_copies}', '{agent_stopped}',
  '{session_inactive, lease_not_held, invalid_transition, artifact_missing,
    artifact_uninspectable, session_backend_not_ready, observation_stale,
    session_backend_missing, session_backend_gone, session_backend_unattested}',
  '{complete}', '{lease_id}', '{workflow_job_id, attempt, job_state, run_state, queued}',
  '{"striatum complete lease_0123456789abcdef"}');
