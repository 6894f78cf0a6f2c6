-- work.await_packet: gives a session the oldest work that is for it, and waits for it where there
-- is none, as long as the caller says; the last try answers. The daemon waits, and not in here.
--
-- Keeps:   a lane that is only being started is waited for; nothing expires and nothing is claimed
-- Errors:  observation_stale                              try again
--          session_backend_missing, session_backend_gone  the session has ended by it
--          session_backend_unattested                     the lane is not what the workflow names
-- Locks:   the supervisor, the message (skip locked), the job
-- Events:  job.claimed; session.expired, session.lost
create function striatumd.work_await_packet(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_session_id text := coalesce(p ->> 'session_id', p_call.session_id);
  v_decision   striatumd.decision;
  v_session    striatumd.sessions;
begin
  perform striatumd.assert_daemon_authority();
  v_decision := striatumd.claim_work(p_call, v_session_id,
    coalesce((p ->> 'lease_seconds')::integer, 1800));
  if v_decision.unsettled = 'wait' and v_decision.refusal is not null then
    select * into strict v_session from striatumd.sessions where session_id = v_session_id;
    return striatumd.unsettled('wait', striatumd.no_work(v_session, v_decision.refusal ->> 'code',
      jsonb_build_object('next', array['striatum await-packet'])) - 'idle_behavior', null);
  end if;
  return v_decision;
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, observers, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('work.await_packet', 'Claim work for a session, and wait for it', 'claim', 'single_repo',
  'session', true, true, '{
  "type": "object", "additionalProperties": false,
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; a session''s own where left out"},
    "session_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The session; the token''s own where left out"},
    "lease_seconds": {"type": "integer", "minimum": 1, "maximum": 86400,
                      "description": "How long the lease lasts; 1800 where left out"},
    "wait_ms":       {"type": "integer", "minimum": 0, "maximum": 600000,
                      "description": "How long to wait; 60000 where left out"}}}',
  '{lane_attestation, scope_baseline}', '{agent_stopped}',
  '{observation_stale, session_backend_missing, session_backend_gone, session_backend_unattested}',
  '{await-packet}', '{session_id}',
  '{status, reason, packet_id, lease_id, job_id, attempt, packet, next}',
  '{"striatum await-packet", "striatum await-packet --wait-ms 600000"}');
