-- A run: the snapshot of a workflow, its jobs and the edges between them.

create domain striatumd.run_id as text
  constraint run_id_is_prefixed check (value ~ '^run_[0-9a-f]{16}$');
create domain striatumd.job_id as text
  constraint job_id_is_prefixed check (value ~ '^job_[0-9a-f]{16}$');
create domain striatumd.word as text            -- an id that a person chose
  constraint word_is_plain_and_short check (value ~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$');
create domain striatumd.relative_path as text
  constraint relative_path_stays_below
    check (value ~ '^[^/]' and value !~ '(^|/)\.\.?(/|$)' and octet_length(value) <= 4096);

create type striatumd.run_state as enum (
  'needs_branch_confirmation', 'ready', 'running', 'needs_operator',
  'completed', 'failed', 'canceled', 'compromised'
);
create type striatumd.branch_mode as enum ('auto', 'confirm');
create type striatumd.completion_mode as enum ('lanes_attested', 'operator_override');
create type striatumd.stop_reason as enum (
  'job_failed', 'all_jobs_canceled', 'provenance_gate_failed', 'quarantined_jobs',
  'canceled_by_operator', 'artifact_unreachable'
);

create table striatumd.runs (
  run_id                   striatumd.run_id not null,
  repository_id            striatumd.repository_id not null,
  workflow_id              striatumd.word not null,
  workflow_version         striatumd.line not null,
  name                     striatumd.line not null,
  state                    striatumd.run_state not null,
  branch_mode              striatumd.branch_mode not null,
  branch_name              text not null,           -- recorded once
  base_commit              text not null,           -- where the branch begins
  stop_reason              striatumd.stop_reason,
  completion_mode          striatumd.completion_mode,
  completion_record_json   text,                    -- written once, by the transition that ends it
  completion_record_sha256 striatumd.sha256_hex,
  created_by               text not null,           -- client
  created_at               timestamptz not null,
  started_at               timestamptz,
  finished_at              timestamptz,
  constraint runs_are_distinct primary key (run_id),
  constraint runs_belong_to_a_repository
    foreign key (repository_id) references striatumd.repositories,
  constraint runs_base_commit_is_hex check (base_commit ~ '^([0-9a-f]{40}|[0-9a-f]{64})$'),
  constraint runs_branch_name_is_a_line
    check (branch_name ~ '^[^[:cntrl:][:space:]~^:?*\[\\-][^[:cntrl:][:space:]~^:?*\[\\]{0,199}$'),
  constraint runs_ended_has_a_record check (
    (state in ('completed', 'failed', 'canceled', 'compromised'))
      = (completion_record_json is not null)
    and (completion_record_json is null) = (finished_at is null)
    and (completion_record_json is null) = (completion_record_sha256 is null)),
  constraint runs_running_has_started
    check (state in ('needs_branch_confirmation', 'ready', 'canceled') or started_at is not null),
  constraint runs_completed_has_a_mode
    check ((state in ('completed', 'compromised')) = (completion_mode is not null)),
  constraint runs_failed_has_a_reason
    check (state not in ('failed', 'canceled', 'needs_operator') or stop_reason is not null)
);
create index runs_of_a_repository on striatumd.runs (repository_id, created_at);
create index runs_under_way on striatumd.runs (created_at)
  where state in ('running', 'needs_operator');

-- What was given up for a run, as when git could not make its branch.
create index effects_abandoned_of_a_run on striatumd.effects ((args ->> 'run_id'))
  where state = 'abandoned';

create index events_of_a_run on striatumd.events (run_id, event_id) where run_id is not null;

create function striatumd.completion_is_written_once() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if old.completion_record_json is not null
     and (new.completion_record_json, new.completion_record_sha256, new.finished_at)
       is distinct from
         (old.completion_record_json, old.completion_record_sha256, old.finished_at) then
    raise exception using errcode = '23514', constraint = 'runs_completion_is_written_once',
      message = 'the completion record of a run is written once';
  end if;
  return new;
end
$$;
create trigger completion_is_written_once before update on striatumd.runs
  for each row execute function striatumd.completion_is_written_once();

-- The workflow file as it was when the run was prepared.
create table striatumd.workflow_snapshots (
  run_id        striatumd.run_id not null,
  repository_id striatumd.repository_id not null,
  source_path   striatumd.relative_path not null,
  source_sha256 striatumd.sha256_hex not null,      -- of the file's octets
  workflow      jsonb not null,
  taken_at      timestamptz not null,
  heading       jsonb not null                      -- all but jobs and edges: small, read often
    generated always as (case when jsonb_typeof(workflow) = 'object'
      then workflow - '{jobs,edges,cycles}'::text[] else '{}' end) stored,
  constraint workflow_snapshots_one_a_run primary key (run_id),
  constraint workflow_snapshots_belong_to_a_run foreign key (run_id) references striatumd.runs,
  constraint workflow_snapshots_workflow_is_an_object check (jsonb_typeof(workflow) = 'object')
);
create trigger append_only before update or delete on striatumd.workflow_snapshots
  for each row execute function striatumd.append_only();
create trigger never_emptied before truncate on striatumd.workflow_snapshots
  for each statement execute function striatumd.append_only();

create type striatumd.job_state as enum (
  'pending', 'queued', 'claimed', 'running', 'blocked', 'waiting_human', 'stale_lease',
  'quarantined', 'completed', 'failed', 'canceled', 'skipped'
);

-- One row a job of the workflow, whatever its attempt.
create table striatumd.jobs (
  job_id          striatumd.job_id not null,
  repository_id   striatumd.repository_id not null,
  run_id          striatumd.run_id not null,
  workflow_job_id striatumd.word not null,
  ordinal         integer not null,                 -- its place in the workflow, from 1
  job_type        striatumd.word not null,
  title           striatumd.line not null,
  role_id         striatumd.word not null,
  lane_id         striatumd.word,                   -- null: any lane of the role
  state           striatumd.job_state not null,
  attempt         integer not null,
  is_verdict      boolean not null,                 -- ends by a verdict
  is_repo_write   boolean not null,
  is_fresh        boolean not null,                 -- wants a session that held no packet before
  spec            jsonb not null,                   -- the job as the workflow has it
  requeues        integer not null default 0,       -- after a lane died, since an operator decided
  constraint jobs_are_distinct primary key (job_id),
  constraint jobs_belong_to_a_run foreign key (run_id) references striatumd.runs,
  constraint jobs_one_a_name unique (run_id, workflow_job_id),
  constraint jobs_one_a_place unique (run_id, ordinal),
  constraint jobs_ordinal_counts check (ordinal >= 1),
  constraint jobs_attempt_counts check (attempt >= 1),
  constraint jobs_requeues_count check (requeues >= 0),
  constraint jobs_spec_is_an_object check (jsonb_typeof(spec) = 'object')
);
create index jobs_failed_or_unfinished on striatumd.jobs (run_id, state)
  where state not in ('completed', 'canceled', 'skipped');

-- `to_job_id` waits until `from_job_id` is completed.
create table striatumd.job_edges (
  run_id      striatumd.run_id not null,
  from_job_id striatumd.job_id not null,
  to_job_id   striatumd.job_id not null,
  constraint job_edges_are_distinct primary key (from_job_id, to_job_id),
  constraint job_edges_begin_at_a_job foreign key (from_job_id) references striatumd.jobs,
  constraint job_edges_end_at_a_job foreign key (to_job_id) references striatumd.jobs,
  constraint job_edges_lead_elsewhere check (from_job_id <> to_job_id)
);
create index job_edges_into_a_job on striatumd.job_edges (to_job_id);

-- A verdict `needs_revision` of `from_job_id` opens `to_job_id` again, so often at most.
create table striatumd.job_cycles (
  run_id         striatumd.run_id not null,
  from_job_id    striatumd.job_id not null,
  to_job_id      striatumd.job_id not null,
  max_iterations integer not null,
  iterations     integer not null default 0,        -- used
  constraint job_cycles_one_a_review primary key (from_job_id),
  constraint job_cycles_begin_at_a_job foreign key (from_job_id) references striatumd.jobs,
  constraint job_cycles_end_at_a_job foreign key (to_job_id) references striatumd.jobs,
  constraint job_cycles_are_bounded check (max_iterations between 1 and 1000),
  constraint job_cycles_stay_in_bounds check (iterations between 0 and max_iterations)
);
create index job_cycles_into_a_job on striatumd.job_cycles (to_job_id);
