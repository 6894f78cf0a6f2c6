-- What a session is told to do.
-- STR-BYLINE-01, STR-BYLINE-04: with the line by which an attested session signs.
begin;
select plan(9);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage(), tap.session('one', 'author');
create temp table packet as select tap.ask('one', 'work.claim_next', '{}', tap.claiming('one')
  || '{"scope_baseline": {"status": "captured", "changed_paths": [{"path": "docs/a",
       "sha256": null}]}}'::jsonb || jsonb_build_object('scope_baseline', jsonb_build_object(
       'job_id', tap.id('job', 'r.draft'), 'attempt', 1, 'status', 'captured', 'changed_paths',
       '[{"path": "docs/a", "sha256": null}]'::jsonb))) #> '{data,packet}' as is;

-- does
select is(array(select jsonb_object_keys("is") order by 1), array['artifact_policy', 'commands',
  'context', 'expected_artifacts', 'inputs', 'job', 'lane_attestation', 'lease', 'packet_id',
  'packet_version', 'role', 'run', 'session', 'task_prompt', 'write_scope',
  'write_scope_baseline'], 'what applies is there, and nothing else') from packet;
select is("is" -> 'run', jsonb_build_object('run_id', tap.id('run', 'r'), 'workflow_id', 'wf',
  'name', 'a workflow', 'repo_root', '/srv/app', 'branch',
  '{"name": "striatum/r", "confirmed": true}'::jsonb), 'the run and where it is') from packet;
select is("is" -> 'session', jsonb_build_object('session_id', tap.id('sess', 'one'), 'slug',
  'author-author-1', 'role_id', 'author', 'lane_id', 'author'), 'who it is') from packet;
select is("is" -> 'job', jsonb_build_object('job_id', tap.id('job', 'r.draft'),
  'workflow_job_id', 'draft', 'attempt', 1, 'type', 'draft', 'title', 'Title of draft', 'author',
  'author: author-m-author-001', 'objective', 'Objective of draft', 'fresh_session_required',
  false), 'what is to be done, and how it is signed') from packet;
select is("is" -> 'expected_artifacts', '[{"logical_name": "draft", "kind": "handoff", "path":
  "docs/draft.md", "required": true, "author": "author: author-m-author-001", "contract":
  "striatum artifact contract handoff"}]',
  'what is to be left behind, how it is signed, and how to learn what its kind wants') from packet;
select is("is" -> 'write_scope_baseline', '{"status": "captured", "changed_paths": [{"path":
  "docs/a", "sha256": null}]}', 'what was changed before') from packet;
select is(jsonb_build_array("is" -> 'role', "is" -> 'context', "is" -> 'task_prompt'), '[
  {"role_id": "author", "definition_path": "roles/author.md"},
  {"content_mode": "references", "docs": [{"path": "README.md", "required": true},
    {"path": "docs/plain.md"}]},
  {"path": "prompts/draft.md"}]', 'what to read') from packet;
select is("is" #> '{lease,heartbeat_after_seconds}', '600', 'how often it is to be heard of')
  from packet;

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.packet(null, null)', '28000', 'daemon_authority_missing',
  'not without the daemon''s secret');

select * from finish();
rollback;
