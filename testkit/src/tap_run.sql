-- The stage of tests about runs: rows as the methods would leave them, put there by hand.

-- An id of this kind that a name gives.
create function tap.id(p_prefix text, p_name text) returns text language sql as $$
  select p_prefix || '_' || left(md5(p_name), 16)
$$;

-- A running run `r` of repository `app` (made where missing): draft, then review, then synthesis; a
-- verdict needs_revision of the review opens the draft once more. The draft is queued. Roles and
-- lanes are author and reviewer.
create function tap.run_stage(p_run text default 'r', p_repository text default 'app')
  returns text language plpgsql as $$
declare
  v_repository_id text := tap.id('repo', p_repository);
  v_run_id        text := tap.id('run', p_run);
  v_lanes         constant jsonb := '{"author": {"adapter": "process",
    "command": ["agent", "author"], "model": "m-author"}, "reviewer": {"adapter": "process",
    "command": ["agent", "reviewer"], "model": "m-reviewer"}}';
  v_jobs          jsonb := jsonb_build_array(
    tap.job('draft', 'draft', 'author', 'handoff'),
    tap.job('review', 'review', 'reviewer', 'finding'),
    tap.job('synthesis', 'synthesis', 'author', 'synthesis'));
begin
  if not exists (select from striatumd.repositories where repository_id = v_repository_id) then
    perform tap.repository(p_repository);
  end if;
  insert into striatumd.runs (run_id, repository_id, workflow_id, workflow_version, name, state,
    branch_mode, branch_name, base_commit, created_by, created_at, started_at)
  values (v_run_id, v_repository_id, 'wf', '1', 'a workflow', 'running', 'auto',
    'striatum/' || p_run, repeat('a', 40), tap.client_id('ada'), '2026-01-01Z', '2026-01-01Z');
  insert into striatumd.workflow_snapshots
  values (v_run_id, v_repository_id, 'workflow.json', repeat('b', 64), jsonb_build_object(
    'schema_version', 'striatum.workflow.v1', 'workflow_id', 'wf', 'workflow_version', '1',
    'name', 'a workflow', 'branch', jsonb_build_object('mode', 'auto', 'suggested_name',
      'striatum/' || p_run), 'coordinator', '{"role_id": "author", "lane_id": "author"}'::jsonb,
    'lanes', v_lanes, 'roles', '{"author": {"definition_path": "roles/author.md"},
      "reviewer": {"definition_path": "roles/reviewer.md"}}'::jsonb,
    'context_docs', '[{"path": "README.md", "required": true}, "docs/plain.md"]'::jsonb,
    'parallelism', '{"mode": "declared", "max_active_jobs": 4}'::jsonb, 'jobs', v_jobs,
    'edges', '[{"from": "draft", "to": "review", "on": "completed"},
      {"from": "review", "to": "synthesis", "on": "completed"}]'::jsonb,
    'cycles', '[{"from": "review", "to": "draft", "on_verdict": "needs_revision",
      "max_iterations": 1}]'::jsonb), '2026-01-01Z');
  insert into striatumd.jobs (job_id, repository_id, run_id, workflow_job_id, ordinal, job_type,
    title, role_id, lane_id, state, attempt, is_verdict, is_repo_write, is_fresh, spec)
  select tap.id('job', p_run || '.' || (j ->> 'id')), v_repository_id, v_run_id, j ->> 'id', n,
         j ->> 'type', j ->> 'title', j ->> 'role_id', j ->> 'lane_id',
         case n when 1 then 'queued' else 'pending' end::striatumd.job_state, 1,
         j ->> 'type' = 'review', (j #>> '{write_scope,repo_write}')::boolean,
         (j ->> 'fresh_session_required')::boolean, j
    from jsonb_array_elements(v_jobs) with ordinality as e (j, n);
  insert into striatumd.job_edges
  values (v_run_id, tap.id('job', p_run || '.draft'), tap.id('job', p_run || '.review')),
         (v_run_id, tap.id('job', p_run || '.review'), tap.id('job', p_run || '.synthesis'));
  insert into striatumd.job_cycles
  values (v_run_id, tap.id('job', p_run || '.review'), tap.id('job', p_run || '.draft'), 1, 0);
  perform tap.queued(p_run || '.draft');
  return v_run_id;
end
$$;

-- A job of the stage, as its workflow has it.
create function tap.job(p_id text, p_type text, p_lane text, p_kind text) returns jsonb
  language sql as $$
  select jsonb_build_object('id', p_id, 'type', p_type, 'title', 'Title of ' || p_id,
    'role_id', p_lane, 'lane_id', p_lane, 'objective', 'Objective of ' || p_id,
    'task_prompt', jsonb_build_object('path', format('prompts/%s.md', p_id)),
    'fresh_session_required', p_type = 'review',
    'expected_artifacts', jsonb_build_array(jsonb_build_object('logical_name', p_id,
      'kind', p_kind, 'path', format('docs/%s.md', p_id), 'required', true)),
    'write_scope', jsonb_build_object('mode', case when p_type = 'review'
        then 'review_only_artifact' else 'repo_write' end, 'repo_write', p_type <> 'review',
      'allowed_paths', '["docs/"]'::jsonb, 'forbidden_paths', '[".striatum/"]'::jsonb))
$$;

-- The queue message of a job's attempt, the job being `<run>.<name>`.
create function tap.queued(p_job text) returns text language sql as $$
  update striatumd.jobs set state = 'queued' where job_id = tap.id('job', p_job);
  insert into striatumd.queue_messages (message_id, repository_id, run_id, job_id, attempt, role_id,
    lane_id, is_fresh, state, queued_at)
  select striatumd.new_id('msg'), repository_id, run_id, job_id, attempt, role_id, lane_id,
         is_fresh, 'pending', '2026-01-01Z'
    from striatumd.jobs where job_id = tap.id('job', p_job)
  returning message_id
$$;

-- An active session of a run with its own client, whose name and secret are the session's name, and
-- an attached supervisor. A supervisor's state that is null leaves it out.
create function tap.session(p_name text, p_lane text, p_run text default 'r',
    p_supervisor striatumd.supervisor_state default 'attached')
  returns text language plpgsql as $$
declare
  v_run striatumd.runs;
  v_id  text := tap.id('sess', p_name);
begin
  select * into strict v_run from striatumd.runs where run_id = tap.id('run', p_run);
  insert into striatumd.sessions (session_id, repository_id, run_id, role_id, lane_id, ordinal,
    state, registered_by, registered_at)
  values (v_id, v_run.repository_id, v_run.run_id, p_lane, p_lane, 1 + (
    select count(*) from striatumd.sessions where run_id = v_run.run_id and lane_id = p_lane),
    'active', tap.client_id('ada'), '2026-01-01Z');
  perform tap.client(p_name, '{claim,write,review,read}', v_run.repository_id);
  insert into striatumd.client_sessions
  values (tap.client_id(p_name), v_id, v_run.repository_id, '2026-01-01Z');
  if p_supervisor is not null then
    insert into striatumd.process_supervisors (supervisor_id, repository_id, run_id, session_id,
      state, command, client_id, agent_pid, agent_start_token, helper_pid, helper_start_token,
      terminal, observed_command, started_at, ended_at)
    values (tap.id('sup', p_name), v_run.repository_id, v_run.run_id, v_id, p_supervisor,
      jsonb_build_array('agent', p_lane), tap.client_id(p_name), 4711, 'boot:1', 4710, 'boot:0',
      '/dev/pts/7', jsonb_build_array('/usr/bin/agent', p_lane), '2026-01-01Z',
      case when p_supervisor in ('lost', 'stopped') then timestamptz '2026-01-01Z' end);
  end if;
  return v_id;
end
$$;

-- What the observer says of that session's agent; p_more overrides.
create function tap.attested(p_name text, p_more jsonb default '{}') returns jsonb
  language sql as $$
  select jsonb_build_object('lane_attestation', jsonb_build_object('supervisor_id',
    tap.id('sup', p_name), 'agent_pid', 4711, 'agent_start_token', 'boot:1', 'state', 'alive')
    || p_more)
$$;

-- A session's active lease of a job `<run>.<name>`, with its packet; the job is `p_state`.
create function tap.leased(p_session text, p_job text,
    p_state striatumd.job_state default 'running')
  returns text language plpgsql as $$
declare
  v_job     striatumd.jobs;
  v_message text;
  v_lease   text := tap.id('lease', p_session || p_job);
begin
  update striatumd.jobs set state = p_state where job_id = tap.id('job', p_job)
  returning * into strict v_job;
  update striatumd.queue_messages
     set state = case p_state when 'claimed' then 'claimed' else 'acked'
                 end::striatumd.message_state,
         claim_count = claim_count + 1
   where job_id = v_job.job_id and state = 'pending' returning message_id into v_message;
  insert into striatumd.leases (lease_id, repository_id, run_id, session_id, message_id, job_id,
    attempt, state, lease_seconds, acquired_at, expires_at)
  values (v_lease, v_job.repository_id, v_job.run_id, tap.id('sess', p_session), v_message,
    v_job.job_id, v_job.attempt, 'active', 1800, now(), now() + interval '1800 s');
  insert into striatumd.work_packets (packet_id, repository_id, run_id, session_id, message_id,
    lease_id, job_id, attempt, packet_json, packet_sha256, issued_at)
  values (tap.id('pkt', v_lease), v_job.repository_id, v_job.run_id, tap.id('sess', p_session),
    v_message, v_lease, v_job.job_id, v_job.attempt, '{}', repeat('c', 64), now());
  insert into striatumd.job_attempts (job_id, attempt, write_scope, baseline, begun_at)
  values (v_job.job_id, v_job.attempt, v_job.spec -> 'write_scope', '{"status": "unavailable"}',
    now()) on conflict do nothing;
  return v_lease;
end
$$;

-- Tells a run as its tables have it by one event, so that what comes after has events to follow on.
create function tap.told(p_run text default 'r') returns void language sql as $$
  select striatumd.append_events(jsonb_build_array(jsonb_build_object(
    'repository_id', r.repository_id, 'run_id', r.run_id, 'event_type', 'run.prepared',
    'payload', jsonb_build_object('reason', 'stage', 'by', 'ada', 'changes', (
      select jsonb_agg(striatumd.change(k.key, t.key, null, t.value))
        from jsonb_each(striatumd.run_as_tabled(r.run_id)) k, jsonb_each(k.value) t)))))
    from striatumd.runs r where r.run_id = tap.id('run', p_run)
$$;

-- What a method has as its call, in a run of the stage.
create function tap.call(p_run text default 'r', p_at timestamptz default '2026-01-02Z')
  returns striatumd.call_context
  language sql as $$
  select jsonb_populate_record(null::striatumd.call_context, jsonb_build_object(
    'client_id', tap.client_id('ada'), 'repository_id', repository_id, 'run_id', run_id,
    'at', p_at)) from striatumd.runs where run_id = tap.id('run', p_run)
$$;

-- An artifact `<name>` and a verdict of a job `<run>.<name>`, of its first attempt, by a session.
create function tap.published(p_session text, p_job text, p_author_line text default null)
  returns text language sql as $$
  insert into striatumd.artifacts
  select tap.id('art', p_job), repository_id, run_id, job_id, 1, tap.id('sess', p_session),
         tap.id('lease', p_session || p_job), workflow_job_id, 'handoff',
         format('docs/%s.md', workflow_job_id), repeat('d', 64), 5, p_author_line,
         'git_publication', '2026-01-02Z'
    from striatumd.jobs where job_id = tap.id('job', p_job)
  returning artifact_id
$$;
create function tap.judged(p_session text, p_job text, p_verdict striatumd.verdict,
    p_attempt int default 1)
  returns text language sql as $$
  insert into striatumd.verdicts (verdict_id, repository_id, run_id, job_id, attempt, session_id,
    lease_id, verdict, posture, basis, lane_attestation_at_record, model_identity_declared,
    recorded_by, recorded_at)
  select tap.id('verd', p_job || p_attempt), repository_id, run_id, job_id, p_attempt,
         tap.id('sess', p_session),
         tap.id('lease', p_session || p_job), p_verdict, 'neutral', 'review', 'attested',
         'm-reviewer', tap.client_id(p_session), '2026-01-02Z'
    from striatumd.jobs where job_id = tap.id('job', p_job)
  returning verdict_id
$$;

-- A run of the stage ends, with this record.
create function tap.ended(p_run text, p_state striatumd.run_state, p_record jsonb default '{}')
  returns void language sql as $$
  update striatumd.runs
     set state = p_state, finished_at = '2026-01-03Z', completion_record_json = p_record::text,
         completion_record_sha256 = repeat('e', 64),
         stop_reason = case when p_state <> 'completed'
           then 'job_failed'::striatumd.stop_reason end,
         completion_mode = case when p_state = 'completed'
           then 'lanes_attested'::striatumd.completion_mode end
   where run_id = tap.id('run', p_run)
$$;

-- What the observers say before a claim: the session's agent lives, and nothing is changed where
-- the job `<run>.<name>` may write.
create function tap.claiming(p_session text, p_job text default 'r.draft',
    p_attempt integer default 1)
  returns jsonb language sql as $$
  select tap.attested(p_session) || jsonb_build_object('scope_baseline', jsonb_build_object(
    'job_id', tap.id('job', p_job), 'attempt', p_attempt, 'status', 'captured',
    'changed_paths', '[]'::jsonb))
$$;

-- What the observer says of every artifact there is, as if it lay where it was published; p_more
-- overrides, of each.
create function tap.copies(p_more jsonb default '{}') returns jsonb language sql as $$
  select jsonb_build_object('artifact_copies', jsonb_build_object('root', '/srv/app', 'files', (
    select coalesce(jsonb_agg(jsonb_build_object('path', repo_path, 'state', 'present',
             'sha256', content_sha256, 'published_sha256', content_sha256) || p_more
             order by repo_path), '[]') from striatumd.artifacts)))
$$;

-- The events so far, as `<type>: <what it changed>`.
create function tap.events() returns setof text language sql as $$
  select event_type || ': ' || coalesce((
    select string_agg(concat_ws(' ', c ->> 'of', nullif(c #>> '{from,state}', ''), '->',
             c #>> '{to,state}'), ', ' order by n)
      from jsonb_array_elements(payload_json::jsonb -> 'changes')
           with ordinality as changes (c, n)), '')
    from striatumd.events order by repository_id, event_id
$$;
