-- artifact.publish: makes a file that the session wrote an artifact of its attempt. The file is
-- read and left as it is.
--
-- Keeps:   the name is published once an attempt; what lies outside of the attempt's scope, or is
--          signed by another than the packet says, is no artifact
--          what is published here lies in the repository: while no blob store is configured, every
--          kind has the placement git_publication
-- Errors:  those of held_lease, require_attested_lane and lane_gate, declared_artifact,
--          published_file
-- Locks:   the run; the lease
-- Events:  artifact.published
create function striatumd.artifact_publish(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_session_id text := coalesce(p ->> 'session_id', p_call.session_id);
  v_lease      striatumd.leases;
  v_job        striatumd.jobs;
  v_as         jsonb;
  v_published  jsonb;
  v_gate       striatumd.decision;
begin
  perform striatumd.assert_daemon_authority();
  p_call.session_id := v_session_id;

  -- lock
  v_lease := striatumd.held_lease(p_call, v_session_id, p ->> 'lease_id');
  select * into strict v_job from striatumd.jobs where job_id = v_lease.job_id for update;

  -- refuse
  perform striatumd.require_attested_lane(p_call, v_job, v_session_id);
  if (v_job.spec ->> 'require_attested_lane')::boolean then
    v_gate := striatumd.lane_gate(p_call, v_session_id);
    if v_gate.refusal is not null then
      return v_gate;
    end if;
  end if;
  v_as := striatumd.declared_artifact(v_job, p, jsonb_build_object('kind', 'other',
    'logical_name', coalesce(nullif(substr(ltrim(regexp_replace(regexp_replace(p ->> 'path',
      '^.*/|\.[^./]*$', '', 'g'), '[^A-Za-z0-9._:-]+', '-', 'g'), '-._:'), 1, 128), ''), 'file')));

  -- change
  v_published := striatumd.published_file(p_call, v_lease, v_job, p ->> 'path', v_as,
    concat_ws(' ', 'striatum publish-artifact', striatumd.shell_word(p ->> 'lease_id'),
      striatumd.shell_word(p ->> 'path'), '--kind ' || (p ->> 'kind'),
      '--logical-name ' || (p ->> 'logical_name')));

  -- reply
  return striatumd.decided(v_published -> 'artifact'
    || jsonb_build_object('is_new', v_published -> 'events' <> '[]'),
    v_published -> 'events', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, observers, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('artifact.publish', 'Publish a file as an artifact of the work that a session holds',
  'write', 'single_repo', 'session', true, true, '{
  "type": "object", "additionalProperties": false, "required": ["lease_id", "path"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; the session''s where left out"},
    "session_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "Who publishes; the token''s session where left out"},
    "lease_id":      {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The lease under which the session works"},
    "path":          {"type": "string", "minLength": 1, "maxLength": 4096, "description":
                      "The file, from the repository''s root"},
    "logical_name":  {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$",
                      "description":
                      "Its name; the one that the workflow expects at the path where left out"},
    "kind":          {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$",
                      "description":
                      "Its kind; the one that the workflow expects at the path where left out"}}}',
  '{artifact_file, lane_attestation}', '{agent_stopped}',
  '{session_inactive, lease_not_held, session_backend_missing, session_backend_gone,
    session_backend_not_ready, session_backend_unattested, observation_stale, path_not_relative,
    path_traversal, path_outside_scope, artifact_not_expected, artifact_transcript_refused,
    artifact_file_missing, symlink_refused, artifact_unreadable, artifact_already_published,
    artifact_author_differs, artifact_review_repeated, artifact_kind_unknown,
    artifact_front_matter_invalid}',
  '{publish-artifact}', '{lease_id, path}',
  '{artifact_id, logical_name, kind, path, content_sha256, is_new}',
  '{"striatum publish-artifact lease_0123456789abcdef docs/draft.md"}');
