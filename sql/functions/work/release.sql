-- work.release: hands work back undone; another session may claim it.
--
-- Errors:  session_inactive, lease_not_held   as held_lease says
-- Locks:   the lease, the message, the job
-- Events:  job.released; job.queued, where something was published and the attempt is a new one
create function striatumd.work_release(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_lease  striatumd.leases;
  v_job    striatumd.jobs;
  v_events jsonb;
begin
  perform striatumd.assert_daemon_authority();
  p_call.session_id := coalesce(p ->> 'session_id', p_call.session_id);

  -- lock
  v_lease := striatumd.held_lease(p_call, p_call.session_id, p ->> 'lease_id');

  -- change
  v_events := striatumd.hand_back(p_call, v_lease, 'released', 'released', 'job.released',
    p ->> 'reason');

  -- reply
  select * into strict v_job from striatumd.jobs where job_id = v_lease.job_id;
  return striatumd.decided(jsonb_build_object('lease_id', v_lease.lease_id,
    'job_id', v_job.job_id, 'workflow_job_id', v_job.workflow_job_id, 'attempt', v_job.attempt,
    'job_state', v_job.state), v_events, '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('work.release', 'Hand work back undone', 'claim', 'single_repo', 'session', true, true, '{
  "type": "object", "additionalProperties": false, "required": ["lease_id", "reason"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; a session''s own where left out"},
    "session_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The session; the token''s own where left out"},
    "lease_id":      {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The lease, as the packet names it"},
    "reason":        {"type": "string", "minLength": 1, "maxLength": 200,
                      "pattern": "^[^\\p{Cc}]+$", "description": "Why, for the record"}}}',
  '{session_inactive, lease_not_held}', '{release}', '{lease_id}',
  '{lease_id, workflow_job_id, attempt, job_state}',
  '{"striatum release lease_0123456789abcdef --reason \"wrong machine\""}');
