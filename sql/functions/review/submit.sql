-- review.submit: hands a review in: publishes what it says, records its verdict, and does what
-- follows from that, all in one call. A packet that was only claimed is accepted with it.
--
-- Keeps:   a verdict rests on every artifact that the review has to publish; nobody judges what
--          they published; the session's agent is the one that the workflow names
-- Errors:  those of reviewer_gate, declared_artifact and published_file
--          review_verdict_differs  the ledger that is handed in comes to another verdict
--          artifact_missing        the review has to publish more than this
--          artifact_uninspectable  something that it published is not there any more as it was
-- Locks:   the run; the lease, the job
-- Events:  job.acked, artifact.published, and those of record_verdict
create function striatumd.review_submit(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_again     text;
  v_lease     striatumd.leases;
  v_job       striatumd.jobs;
  v_gate      striatumd.decision;
  v_events    jsonb;
  v_as        jsonb;
  v_published jsonb;
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

  v_as := striatumd.declared_artifact(v_job, p,
    '{"logical_name": "review", "kind": "finding"}');

  v_again := concat_ws(' ', 'striatum submit-review', striatumd.shell_word(p ->> 'lease_id'),
      striatumd.shell_word(p ->> 'path'), p ->> 'verdict',
      '--logical-name ' || (p ->> 'logical_name'),
      case when p ? 'rationale' then '--rationale ' || striatumd.shell_word(p ->> 'rationale') end);

  -- change
  v_events := striatumd.ack_if_claimed(p_call, v_lease);
  v_published := striatumd.published_file(p_call, v_lease, v_job, p ->> 'path', v_as, v_again);
  -- What was published just now was looked at by another observer.
  p_call.observed := jsonb_set(p_call.observed, '{artifact_copies}', jsonb_build_object('files',
    jsonb_build_array(p_call.observed -> 'artifact_file')
      || coalesce(p_call.observed #> '{artifact_copies,files}', '[]')));
  perform striatumd.refuse_other_verdict(p_call, v_as, p);
  perform striatumd.refuse_missing_artifacts(v_job, v_lease.lease_id);
  perform striatumd.refuse_uninspectable(p_call, v_job,
    array[v_again,
      format('striatum release %s --reason TEXT', v_lease.lease_id)]);
  v_events := v_events || (v_published -> 'events') || striatumd.record_verdict(p_call,
    v_job.job_id, v_lease.lease_id, v_published #>> '{artifact,artifact_id}',
    (p ->> 'verdict')::striatumd.verdict, p ->> 'rationale', 'review');

  -- reply
  return striatumd.decided(striatumd.verdict_given(v_job.job_id)
    || jsonb_build_object('artifact', v_published -> 'artifact'), v_events, '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, observers, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('review.submit', 'Hand a review in: its file and its verdict', 'review', 'single_repo',
  'session', true, true, '{
  "type": "object", "additionalProperties": false, "required": ["lease_id", "path", "verdict"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; the session''s where left out"},
    "session_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "Who judges; the token''s session where left out"},
    "lease_id":      {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The lease under which the session works"},
    "path":          {"type": "string", "minLength": 1, "maxLength": 4096, "description":
                      "The file with the review, from the repository''s root"},
    "verdict":       {"enum": ["accept", "accept_with_findings", "needs_revision", "reject"],
                      "type": "string", "description": "What the review comes to"},
    "logical_name":  {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$",
                      "description":
                      "The file''s name; the one that the workflow expects where left out"},
    "rationale":     {"type": "string", "minLength": 1, "maxLength": 4000, "description":
                      "Why, in a few words; kept with the verdict and shown nowhere else"}}}',
  '{artifact_file, artifact_copies, lane_attestation}', '{agent_stopped}',
  '{session_inactive, lease_not_held, job_takes_no_verdict, review_not_independent,
    session_backend_missing, session_backend_gone, session_backend_not_ready,
    session_backend_unattested, observation_stale, path_not_relative, path_traversal,
    path_outside_scope, artifact_not_expected, artifact_transcript_refused, artifact_file_missing,
    symlink_refused, artifact_unreadable, artifact_already_published, artifact_author_differs,
    artifact_review_repeated, artifact_kind_unknown, artifact_front_matter_invalid,
    review_verdict_differs, artifact_missing, artifact_uninspectable}',
  '{submit-review}', '{lease_id, path, verdict}',
  '{verdict, job_state, run_state, blocker, downstream}',
  '{"striatum submit-review lease_0123456789abcdef docs/review.md accept"}');
