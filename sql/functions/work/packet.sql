-- The packet of a lease (striatum.work-packet.v1): all that its session has to know to do the work,
-- as references; what is absent does not apply. Its lane is attested, or it would not be made.
create function striatumd.packet(p_lease striatumd.leases, p_packet_id text) returns jsonb
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_run      striatumd.runs;
  v_snapshot striatumd.workflow_snapshots;
  v_session  striatumd.sessions;
  v_job      striatumd.jobs;
  v_attempt  striatumd.job_attempts;
  v_root     text;
  v_author   text;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select * into strict v_run from striatumd.runs where run_id = p_lease.run_id;
  select * into strict v_snapshot from striatumd.workflow_snapshots where run_id = p_lease.run_id;
  select * into strict v_session from striatumd.sessions where session_id = p_lease.session_id;
  select * into strict v_job from striatumd.jobs where job_id = p_lease.job_id;
  select * into strict v_attempt from striatumd.job_attempts
   where job_id = p_lease.job_id and attempt = p_lease.attempt;
  select root into strict v_root from striatumd.repositories
   where repository_id = p_lease.repository_id;
  v_author := striatumd.author_line(p_lease.session_id, true);

  -- reply
  return (select jsonb_object_agg(key, value) from jsonb_each(jsonb_build_object(
    'packet_version', 'striatum.work-packet.v1',
    'packet_id', p_packet_id,
    'run', jsonb_build_object('run_id', v_run.run_id, 'workflow_id', v_run.workflow_id,
      'name', v_run.name, 'repo_root', v_root, 'branch', jsonb_build_object(
        'name', v_run.branch_name, 'confirmed', v_run.state <> 'needs_branch_confirmation')),
    'session', jsonb_build_object('session_id', v_session.session_id,
      'slug', concat_ws('-', v_session.role_id, v_session.lane_id, v_session.ordinal),
      'role_id', v_session.role_id, 'lane_id', v_session.lane_id),
    'lane_attestation', 'attested',
    'lease', jsonb_build_object('lease_id', p_lease.lease_id, 'message_id', p_lease.message_id,
      'expires_at', striatumd.utc_micros(p_lease.expires_at),
      'heartbeat_after_seconds', greatest(1, p_lease.lease_seconds / 3)),
    'job', jsonb_build_object('job_id', v_job.job_id, 'workflow_job_id', v_job.workflow_job_id,
      'attempt', v_job.attempt, 'type', v_job.job_type, 'title', v_job.title,
      'author', v_author, 'objective', v_job.spec -> 'objective',
      'fresh_session_required', v_job.is_fresh),
    'role', striatumd.packet_reference(v_snapshot.source_path,
      v_snapshot.heading #> array['roles', v_job.role_id], 'definition_path')
      || jsonb_build_object('role_id', v_job.role_id),
    'context', jsonb_build_object('content_mode', 'references', 'docs', (
      select coalesce(jsonb_agg(striatumd.packet_reference(v_snapshot.source_path,
                 case jsonb_typeof(d) when 'string' then jsonb_build_object('path', d) else d end,
                 'path')
               order by n), '[]')
        from jsonb_array_elements(v_snapshot.heading -> 'context_docs')
             with ordinality as docs (d, n))),
    'task_prompt', striatumd.packet_reference(v_snapshot.source_path, v_job.spec -> 'task_prompt',
      'path'),
    'inputs', striatumd.packet_inputs(v_job.job_id),
    'write_scope', v_attempt.write_scope,
    'write_scope_baseline', v_attempt.baseline,
    'expected_artifacts', (
      select coalesce(jsonb_agg(a || jsonb_build_object('author', v_author, 'contract',
                 format('striatum artifact contract %s', a ->> 'kind')) order by n), '[]')
        from jsonb_array_elements(v_job.spec -> 'expected_artifacts')
             with ordinality as expected (a, n)),
    'review_policy', striatumd.packet_review_policy(v_job.spec),
    'revision_context', striatumd.packet_revision(v_job.job_id),
    'earlier_artifacts', striatumd.packet_earlier(p_lease),
    'commands', striatumd.packet_commands(p_lease, v_job),
    'artifact_policy', '{"publish_transcripts": false, "curated_artifacts_only": true}'::jsonb))
    where value <> 'null');
end
$$;
