-- review.verdict: records the verdict of a review whose file the attempt has published already, and
-- does what follows from it.
--
-- Keeps:   as review.submit
-- Errors:  those of reviewer_gate
--          artifact_missing        the review has to publish more
--          artifact_uninspectable  something that it published is not there any more as it was
--          review_unpublished      it has published nothing
-- Locks:   the run; the lease, the job
-- Events:  job.acked, and those of record_verdict
create function striatumd.review_verdict(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_lease    striatumd.leases;
  v_job      striatumd.jobs;
  v_gate     striatumd.decision;
  v_artifact striatumd.artifacts;
  v_events   jsonb;
begin
  perform striatumd.assert_daemon_authority();
  p_call.session_id := coalesce(p ->> 'session_id', p_call.session_id);

  -- refuse
  v_gate := striatumd.reviewer_gate(p_call, p ->> 'lease_id');
  if v_gate is distinct from null then
    return v_gate;
  end if;
  select * into strict v_lease from striatumd.leases where lease_id = p ->> 'lease_id';
  select * into strict v_job from striatumd.jobs where job_id = v_lease.job_id;
  perform striatumd.refuse_missing_artifacts(v_job, v_lease.lease_id);
  perform striatumd.refuse_uninspectable(p_call, v_job,
    array[concat_ws(' ', 'striatum verdict', v_lease.lease_id, p ->> 'verdict'),
      format('striatum release %s --reason TEXT', v_lease.lease_id)]);
  select a.* into v_artifact from striatumd.artifacts a
   where a.job_id = v_job.job_id and a.attempt = v_job.attempt
   order by exists (
       select from jsonb_array_elements(coalesce(v_job.spec -> 'expected_artifacts', '[]'))
        where value ->> 'logical_name' = a.logical_name) desc, a.published_at desc, a.artifact_id
   limit 1;
  if not found then
    perform striatumd.refuse('review_unpublished', 'a verdict rests on a review that is published',
      jsonb_build_object('job_id', v_job.job_id, 'attempt', v_job.attempt),
      array[format('striatum submit-review %s PATH %s', v_lease.lease_id, p ->> 'verdict')]);
  end if;

  -- change
  v_events := striatumd.ack_if_claimed(p_call, v_lease) || striatumd.record_verdict(p_call,
    v_job.job_id, v_lease.lease_id, v_artifact.artifact_id,
    (p ->> 'verdict')::striatumd.verdict, p ->> 'rationale', 'review');

  -- reply
  return striatumd.decided(striatumd.verdict_given(v_job.job_id)
    || jsonb_build_object('artifact', striatumd.artifact_shown(v_artifact)), v_events, '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, observers, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('review.verdict', 'Record the verdict of a review that is published already', 'review',
  'single_repo', 'session', true, true, '{
  "type": "object", "additionalProperties": false, "required": ["lease_id", "verdict"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; the session''s where left out"},
    "session_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "Who judges; the token''s session where left out"},
    "lease_id":      {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The lease under which the session works"},
    "verdict":       {"enum": ["accept", "accept_with_findings", "needs_revision", "reject"],
                      "type": "string", "description": "What the review comes to"},
    "rationale":     {"type": "string", "minLength": 1, "maxLength": 4000, "description":
                      "Why, in a few words; kept with the verdict and shown nowhere else"}}}',
  '{lane_attestation, artifact_copies}', '{agent_stopped}',
  '{session_inactive, lease_not_held, job_takes_no_verdict, review_not_independent,
    session_backend_missing, session_backend_gone, session_backend_not_ready,
    session_backend_unattested, observation_stale, artifact_missing,
    artifact_uninspectable, review_unpublished}',
  '{verdict}', '{lease_id, verdict}', '{verdict, job_state, run_state, blocker, downstream}',
  '{"striatum verdict lease_0123456789abcdef needs_revision"}');
