-- work.claim_next: gives a session the oldest work that is for it, or says at once why there is
-- none.
--
-- Errors:  session_backend_not_ready, observation_stale   try again
--          session_backend_missing, session_backend_gone  the session has ended by it
--          session_backend_unattested                     the lane is not what the workflow names
-- Locks:   the supervisor, the message (skip locked), the job
-- Events:  job.claimed; session.expired, session.lost
create function striatumd.work_claim_next(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_decision striatumd.decision;
begin
  perform striatumd.assert_daemon_authority();
  v_decision := striatumd.claim_work(p_call, coalesce(p ->> 'session_id', p_call.session_id),
    coalesce((p ->> 'lease_seconds')::integer, 1800));
  if v_decision.data is not null then
    v_decision.unsettled := null;
  end if;
  return v_decision;
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, observers, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('work.claim_next', 'Claim the oldest work that is for a session', 'claim', 'single_repo',
  'session', true, true, '{
  "type": "object", "additionalProperties": false,
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; a session''s own where left out"},
    "session_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The session; the token''s own where left out"},
    "lease_seconds": {"type": "integer", "minimum": 1, "maximum": 86400,
                      "description": "How long the lease lasts; 1800 where left out"}}}',
  '{lane_attestation, scope_baseline}', '{agent_stopped}',
  '{session_backend_not_ready, observation_stale, session_backend_missing, session_backend_gone,
    session_backend_unattested}',
  '{claim-next}', '{session_id}',
  '{status, reason, packet_id, lease_id, job_id, attempt, packet, next}',
  '{"striatum claim-next", "striatum claim-next sess_0123456789abcdef --lease-seconds 600"}');
