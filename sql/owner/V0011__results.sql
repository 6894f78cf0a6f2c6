-- What work leaves behind: artifacts and verdicts, and what stands in its way.

create domain striatumd.artifact_id as text
  constraint artifact_id_is_prefixed check (value ~ '^art_[0-9a-f]{16}$');
create domain striatumd.verdict_id as text
  constraint verdict_id_is_prefixed check (value ~ '^verd_[0-9a-f]{16}$');
create domain striatumd.blocker_id as text
  constraint blocker_id_is_prefixed check (value ~ '^blk_[0-9a-f]{16}$');

create type striatumd.placement as enum (
  'blob_exhaust', 'git_publication', 'git_pointer_manifest'
);

create table striatumd.artifacts (
  artifact_id    striatumd.artifact_id not null,
  repository_id  striatumd.repository_id not null,
  run_id         striatumd.run_id not null,
  job_id         striatumd.job_id not null,
  attempt        integer not null,
  session_id     striatumd.session_id not null,
  lease_id       striatumd.lease_id not null,
  logical_name   striatumd.word not null,
  kind           striatumd.word not null,
  repo_path      striatumd.relative_path not null,
  content_sha256 striatumd.sha256_hex not null,
  octets         bigint not null,
  author_line    striatumd.line,                    -- as it was read from the file
  placement      striatumd.placement not null,
  published_at   timestamptz not null,
  constraint artifacts_are_distinct primary key (artifact_id),
  constraint artifacts_belong_to_a_job foreign key (job_id) references striatumd.jobs,
  constraint artifacts_one_a_name_and_attempt unique (job_id, attempt, logical_name),
  constraint artifacts_octets_count check (octets >= 0)
);
create index artifacts_of_a_run on striatumd.artifacts (run_id);
create trigger append_only before update or delete on striatumd.artifacts
  for each row execute function striatumd.append_only();
create trigger never_emptied before truncate on striatumd.artifacts
  for each statement execute function striatumd.append_only();

create type striatumd.verdict as enum (
  'accept', 'accept_with_findings', 'needs_revision', 'reject'
);
create type striatumd.lane_attestation as enum ('attested', 'unattested');

-- A changed mind is a new row.
create table striatumd.verdicts (
  verdict_id                   striatumd.verdict_id not null,
  verdict_number               bigint generated always as identity,
  repository_id                striatumd.repository_id not null,
  run_id                       striatumd.run_id not null,
  job_id                       striatumd.job_id not null,
  attempt                      integer not null,
  session_id                   striatumd.session_id,        -- null: an operator's
  lease_id                     striatumd.lease_id,
  artifact_id                  striatumd.artifact_id,
  verdict                      striatumd.verdict not null,
  rationale                    text,
  posture                      striatumd.line not null,
  basis                        striatumd.word not null,     -- review, checkpoint_override
  lane_attestation_at_record   striatumd.lane_attestation,
  model_identity_declared      striatumd.line,
  recorded_by                  text not null,               -- client
  recorded_at                  timestamptz not null,
  constraint verdicts_are_distinct primary key (verdict_id),
  constraint verdicts_belong_to_a_job foreign key (job_id) references striatumd.jobs,
  constraint verdicts_rationale_is_short check (length(rationale) <= 4000),
  constraint verdicts_review_has_a_lease
    check ((basis = 'review') = (lease_id is not null)
      and (lease_id is null) = (session_id is null))
);
create index verdicts_of_a_run on striatumd.verdicts (run_id);
create index verdicts_of_a_job on striatumd.verdicts (job_id, verdict_number);
create trigger append_only before update or delete on striatumd.verdicts
  for each row execute function striatumd.append_only();
create trigger never_emptied before truncate on striatumd.verdicts
  for each statement execute function striatumd.append_only();

create type striatumd.blocker_severity as enum ('blocked', 'human_checkpoint');
create type striatumd.blocker_state as enum ('open', 'resolved');

create table striatumd.blockers (
  blocker_id    striatumd.blocker_id not null,
  repository_id striatumd.repository_id not null,
  run_id        striatumd.run_id not null,
  job_id        striatumd.job_id,                   -- null: of the run as a whole
  session_id    striatumd.session_id,
  severity      striatumd.blocker_severity not null,
  kind          text not null,
  state         striatumd.blocker_state not null,
  description   text not null,
  payload_json  text not null,                      -- striatum.blocker_payload.v1
  opened_at     timestamptz not null,
  resolved_at   timestamptz,
  resolution    striatumd.word,
  resolved_by   text,                               -- client
  constraint blockers_are_distinct primary key (blocker_id),
  constraint blockers_belong_to_a_run foreign key (run_id) references striatumd.runs,
  constraint blockers_kind_is_dotted_words check (kind ~ '^[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)*$'),
  constraint blockers_description_is_short check (length(description) between 1 and 2000),
  constraint blockers_payload_is_an_object check (jsonb_typeof(payload_json::jsonb) = 'object'),
  constraint blockers_resolved_has_all_of_it check (
    (state = 'resolved') = (resolved_at is not null)
    and (resolved_at is null) = (resolution is null)
    and (resolved_at is null) = (resolved_by is null))
);
create index blockers_open_of_a_run on striatumd.blockers (run_id) where state = 'open';
create index blockers_open_of_a_job on striatumd.blockers (job_id) where state = 'open';
