-- work.block: a session cannot go on, and says why; a person or an operator decides.
--
-- Keeps:   the blocker holds facts; its description is prose, and no part of the record
-- Errors:  session_inactive, lease_not_held   as held_lease says
-- Locks:   the lease, the message, the job
-- Events:  job.blocked
create function striatumd.work_block(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_severity striatumd.blocker_severity := (p ->> 'severity')::striatumd.blocker_severity;
  v_lease    striatumd.leases;
  v_job      striatumd.jobs;
  v_changes  jsonb;
  v_blocker  jsonb;
begin
  perform striatumd.assert_daemon_authority();
  p_call.session_id := coalesce(p ->> 'session_id', p_call.session_id);

  -- lock
  v_lease := striatumd.held_lease(p_call, p_call.session_id, p ->> 'lease_id');

  -- change
  v_changes := striatumd.end_lease(p_call, v_lease.lease_id, 'released', 'blocked', 'blocked',
    case v_severity when 'blocked' then 'blocked' else 'waiting_human'
    end::striatumd.job_state);
  select * into strict v_job from striatumd.jobs where job_id = v_lease.job_id;
  v_blocker := striatumd.open_blocker(p_call, v_job.job_id, v_severity, p ->> 'kind',
    p ->> 'description', jsonb_build_object('schema_version', 'striatum.blocker_payload.v1',
      'severity', v_severity, 'kind', p -> 'kind', 'run_id', v_job.run_id,
      'job_id', v_job.job_id, 'workflow_job_id', v_job.workflow_job_id,
      'attempt', v_job.attempt, 'session_id', v_lease.session_id, 'lease_id', v_lease.lease_id,
      'facts', coalesce(p -> 'payload', '{}')));

  -- reply
  return striatumd.decided(jsonb_build_object('blocker_id', v_blocker -> 'id',
      'lease_id', v_lease.lease_id, 'job_id', v_job.job_id,
      'workflow_job_id', v_job.workflow_job_id, 'job_state', v_job.state,
      'severity', v_severity, 'kind', p -> 'kind'),
    jsonb_build_array(striatumd.run_event(p_call, 'job.blocked', p ->> 'kind',
      v_changes || v_blocker, jsonb_build_object('job_id', v_job.job_id,
        'message_id', v_lease.message_id, 'lease_id', v_lease.lease_id))), '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('work.block', 'Say that the work cannot go on, and why', 'claim', 'single_repo', 'session',
  true, true, '{
  "type": "object", "additionalProperties": false,
  "required": ["lease_id", "severity", "kind", "description"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; a session''s own where left out"},
    "session_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The session; the token''s own where left out"},
    "lease_id":      {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The lease, as the packet names it"},
    "severity":      {"enum": ["blocked", "human_checkpoint"],
                      "description": "Whether a person has to decide"},
    "kind":          {"type": "string", "maxLength": 64,
                      "pattern": "^[a-z]+(_[a-z]+)*(\\.[a-z]+(_[a-z]+)*)*$",
                      "description": "What sort of thing is in the way, such as scope_too_small"},
    "description":   {"type": "string", "minLength": 1, "maxLength": 2000,
                      "description": "What is in the way, for people"},
    "payload":       {"type": "object", "additionalProperties": false,
      "description": "Facts about it", "properties": {
        "paths":     {"type": "array", "maxItems": 100, "description": "Paths that it is about",
                      "items": {"type": "string", "minLength": 1, "maxLength": 4096}},
        "exit_code": {"type": "integer", "minimum": 0, "maximum": 255,
                      "description": "With which a program ended"}}}}}',
  '{session_inactive, lease_not_held}', '{block}', '{lease_id}',
  '{blocker_id, workflow_job_id, job_state, severity, kind}',
  '{"striatum block lease_0123456789abcdef --severity blocked --kind lost --description why"}');
