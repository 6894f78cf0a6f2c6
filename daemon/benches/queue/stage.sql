-- Queued work in bulk: runs of jobs without edges and without artifacts, each run with two sessions
-- whose agent is the process that asks. Answers each session's worker and token.
--   $1  what tells this work from other work     $2  runs     $3  jobs a run     $4  workers
--   $5  the agent's process   $6  its start token
with repository as (
  insert into striatumd.repositories
  values ('repo_' || left(md5($1), 16), '/srv/' || $1, $3, $1, 'active', true, now(), null)
  returning repository_id),
run as (
  insert into striatumd.runs (run_id, repository_id, workflow_id, workflow_version, name, state,
    branch_mode, branch_name, base_commit, created_by, created_at, started_at)
  select 'run_' || left(md5($1 || n), 16), repository_id, 'bench', '1', 'a workflow', 'running',
         'auto', 'striatum/' || n, repeat('a', 40), 'nobody', now(), now()
    from repository, generate_series(1, $2::integer) n
  returning run_id, repository_id, substr(branch_name, 10)::integer as n),
job as (
  select g.n, 'job_' || left(md5(concat_ws('.', $1, r.n, g.n)), 16) as job_id, r.n as run,
         jsonb_build_object('id', 'job-' || g.n, 'type', 'build', 'title', 'Title of job ' || g.n,
           'role_id', 'author', 'lane_id', 'author',
           'objective', repeat('What is wanted. ', 8) || g.n,
           'task_prompt', jsonb_build_object('path', format('prompts/%s.md', g.n)),
           'fresh_session_required', false, 'expected_artifacts', '[]'::jsonb,
           'write_scope', '{"mode": "none", "repo_write": false, "allowed_paths": [],
             "forbidden_paths": [".striatum/"]}'::jsonb) as spec
    from run r, generate_series(1, $3::integer) as g (n)),
snapshot as (
  insert into striatumd.workflow_snapshots
  select run_id, repository_id, 'workflow.json', repeat('b', 64), jsonb_build_object(
           'schema_version', 'striatum.workflow.v1', 'workflow_id', 'bench',
           'lanes', '{"author": {"adapter": "process", "command": ["agent"], "model": "m"}}'::jsonb,
           'roles', '{"author": {"definition_path": "roles/author.md"}}'::jsonb,
           'context_docs', '[{"path": "README.md", "required": true}]'::jsonb,
           'jobs', (select jsonb_agg(spec order by j.n) from job j where j.run = r.n)), now()
    from run r),
placed as (
  insert into striatumd.jobs (job_id, repository_id, run_id, workflow_job_id, ordinal, job_type,
    title, role_id, lane_id, state, attempt, is_verdict, is_repo_write, is_fresh, spec)
  select job_id, repository_id, run_id, spec ->> 'id', j.n, 'build', spec ->> 'title', 'author',
         'author', 'queued', 1, false, false, false, spec
    from job j join run r on r.n = j.run
  returning job_id, repository_id, run_id, ordinal),
queued as (
  insert into striatumd.queue_messages (message_id, repository_id, run_id, job_id, attempt, role_id,
    lane_id, is_fresh, state, queued_at)
  select 'msg_' || substr(job_id, 5), repository_id, run_id, job_id, 1, 'author', 'author', false,
         'pending', now()
    from placed order by ordinal, run_id),
seat as (
  select r.*, g.s, (2 * r.n + g.s) % $4::integer as worker,
         left(md5(concat_ws('.', $1, r.n, 'seat', g.s)), 16) as id
    from run r, generate_series(0, 1) as g (s)),
session as (
  insert into striatumd.sessions (session_id, repository_id, run_id, role_id, lane_id, ordinal,
    state, registered_by, registered_at)
  select 'sess_' || id, repository_id, run_id, 'author', 'author', s + 1, 'active', 'nobody', now()
    from seat),
supervisor as (
  insert into striatumd.process_supervisors (supervisor_id, repository_id, run_id, session_id,
    state, command, client_id, agent_pid, agent_start_token, observed_command, started_at)
  select 'sup_' || id, repository_id, run_id, 'sess_' || id, 'attached', '["agent"]',
         'client_' || id, $5::integer, $6, '["/usr/bin/agent"]', now()
    from seat),
client as (
  insert into striatumd.clients
  select 'client_' || id, id, sha256(convert_to(left(md5(id) || md5(id), 43), 'UTF8')
           || repeat('salt', 4)::bytea), repeat('salt', 4)::bytea, now(), null, null
    from seat),
capability as (
  insert into striatumd.client_capabilities (client_id, capability, repository_id, granted_at)
  select 'client_' || id, 'claim', repository_id, now() from seat),
binding as (
  insert into striatumd.client_sessions
  select 'client_' || id, 'sess_' || id, repository_id, now() from seat)
select worker, concat('client_', id, '.', left(md5(id) || md5(id), 43))
  from seat order by worker, n;
