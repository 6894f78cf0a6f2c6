-- Who works on what: sessions, their supervisors, the queue, leases, packets.

create domain striatumd.message_id as text
  constraint message_id_is_prefixed check (value ~ '^msg_[0-9a-f]{16}$');
create domain striatumd.lease_id as text
  constraint lease_id_is_prefixed check (value ~ '^lease_[0-9a-f]{16}$');
create domain striatumd.packet_id as text
  constraint packet_id_is_prefixed check (value ~ '^pkt_[0-9a-f]{16}$');
create domain striatumd.supervisor_id as text
  constraint supervisor_id_is_prefixed check (value ~ '^sup_[0-9a-f]{16}$');

create type striatumd.session_state as enum ('active', 'expired', 'stopped', 'lost', 'closed');
create type striatumd.close_reason as enum (
  'explicit', 'run_completed', 'run_failed', 'run_canceled', 'recovery'
);

create table striatumd.sessions (
  session_id       striatumd.session_id not null,
  repository_id    striatumd.repository_id not null,
  run_id           striatumd.run_id not null,
  role_id          striatumd.word not null,
  lane_id          striatumd.word not null,
  ordinal          integer not null,                -- of its role and lane in the run, from 1
  state            striatumd.session_state not null,
  operator_label   text,
  non_fresh_reason striatumd.line,
  registered_by    text not null,                   -- client
  registered_at    timestamptz not null,
  closed_at        timestamptz,                     -- when it left `active`
  close_reason     striatumd.close_reason,
  close_note       striatumd.line,
  constraint sessions_are_distinct primary key (session_id),
  constraint sessions_belong_to_a_run foreign key (run_id) references striatumd.runs,
  constraint sessions_one_a_slug unique (run_id, role_id, lane_id, ordinal),
  constraint sessions_ordinal_counts check (ordinal >= 1),
  constraint sessions_operator_label_is_a_word check (operator_label ~ '^[a-z0-9._-]{1,64}$'),
  constraint sessions_ended_has_an_instant check ((state = 'active') = (closed_at is null)),
  constraint sessions_closed_has_a_reason check ((state = 'closed') = (close_reason is not null))
);
create index sessions_active_of_a_run on striatumd.sessions (run_id) where state = 'active';

-- When a session was last heard of. Apart from the session, since it changes with every call.
create table striatumd.session_liveness (
  session_id   striatumd.session_id not null,
  last_seen_at timestamptz not null,
  constraint session_liveness_one_a_session primary key (session_id),
  constraint session_liveness_belongs_to_a_session
    foreign key (session_id) references striatumd.sessions
);

create type striatumd.supervisor_state as enum (
  'starting', 'attached', 'detached', 'lost', 'stopped'
);

-- One agent process in one terminal, for one session.
create table striatumd.process_supervisors (
  supervisor_id      striatumd.supervisor_id not null,
  repository_id      striatumd.repository_id not null,
  run_id             striatumd.run_id not null,
  session_id         striatumd.session_id not null,
  state              striatumd.supervisor_state not null,
  command            jsonb not null,                -- argv, as the snapshot's lane has it
  client_id          striatumd.client_id not null,  -- the token that it was given
  agent_pid          integer,
  agent_start_token  text,                          -- <boot id>:<start time>
  helper_pid         integer,
  helper_start_token text,
  terminal           text,                          -- /dev/pts/<n>
  observed_command   jsonb,                         -- argv as the helper recorded it at exec
  helper_event       bigint not null default 0,     -- the last of the helper's that was taken in
  started_at         timestamptz not null,
  ended_at           timestamptz,
  exit_code          integer,
  exit_signal        integer,
  end_reason         striatumd.line,
  constraint process_supervisors_are_distinct primary key (supervisor_id),
  constraint process_supervisors_belong_to_a_session
    foreign key (session_id) references striatumd.sessions,
  constraint process_supervisors_command_is_a_list
    check (jsonb_typeof(command) = 'array' and command <> '[]'),
  constraint process_supervisors_attached_has_a_process check (
    state not in ('attached', 'detached')
    or agent_pid is not null and agent_start_token is not null and observed_command is not null),
  constraint process_supervisors_ended_has_an_instant
    check ((state in ('lost', 'stopped')) = (ended_at is not null))
);
create unique index process_supervisors_one_active_a_session
  on striatumd.process_supervisors (session_id)
  where state in ('starting', 'attached', 'detached');
create index process_supervisors_of_a_run on striatumd.process_supervisors (run_id);
create index process_supervisors_active on striatumd.process_supervisors (started_at)
  where state in ('starting', 'attached', 'detached');

create type striatumd.message_state as enum (
  'pending', 'claimed', 'acked', 'blocked', 'done', 'canceled'
);

-- Work that waits for a session. Order is the order of their numbers, never of their ids.
create table striatumd.queue_messages (
  message_id     striatumd.message_id not null,
  message_number bigint generated always as identity,
  repository_id  striatumd.repository_id not null,
  run_id         striatumd.run_id not null,
  job_id         striatumd.job_id not null,
  attempt        integer not null,
  role_id        striatumd.word not null,
  lane_id        striatumd.word,
  is_fresh       boolean not null,
  state          striatumd.message_state not null,
  claim_count    integer not null default 0,
  queued_at      timestamptz not null,
  constraint queue_messages_are_distinct primary key (message_id),
  constraint queue_messages_belong_to_a_job foreign key (job_id) references striatumd.jobs,
  constraint queue_messages_attempt_counts check (attempt >= 1),
  constraint queue_messages_claim_count_counts check (claim_count >= 0)
);
create unique index queue_messages_one_open_a_job on striatumd.queue_messages (job_id)
  where state in ('pending', 'claimed', 'acked', 'blocked');
create index queue_messages_pending
  on striatumd.queue_messages (run_id, role_id, message_number) where state = 'pending';

create type striatumd.lease_state as enum ('active', 'released', 'expired');

create table striatumd.leases (
  lease_id       striatumd.lease_id not null,
  repository_id  striatumd.repository_id not null,
  run_id         striatumd.run_id not null,
  session_id     striatumd.session_id not null,
  message_id     striatumd.message_id not null,
  job_id         striatumd.job_id not null,
  attempt        integer not null,
  state          striatumd.lease_state not null,
  lease_seconds  integer not null,
  acquired_at    timestamptz not null,
  expires_at     timestamptz not null,
  ended_at       timestamptz,
  release_reason striatumd.word,
  has_published  boolean not null default false,    -- an artifact of its attempt is its own
  constraint leases_are_distinct primary key (lease_id),
  constraint leases_belong_to_a_message
    foreign key (message_id) references striatumd.queue_messages,
  constraint leases_last_a_while check (lease_seconds between 1 and 86400),
  constraint leases_expire_after_they_begin check (expires_at > acquired_at),
  constraint leases_ended_has_an_instant check ((state = 'active') = (ended_at is null)),
  constraint leases_ended_has_a_reason check ((state = 'active') = (release_reason is null))
);
create unique index leases_one_active_a_message on striatumd.leases (message_id)
  where state = 'active';
create unique index leases_one_active_a_session on striatumd.leases (session_id)
  where state = 'active';
create index leases_of_a_run on striatumd.leases (run_id);
create index leases_active on striatumd.leases (expires_at) where state = 'active';

-- What a session was told to do, word for word.
create table striatumd.work_packets (
  packet_id     striatumd.packet_id not null,
  repository_id striatumd.repository_id not null,
  run_id        striatumd.run_id not null,
  session_id    striatumd.session_id not null,
  message_id    striatumd.message_id not null,
  lease_id      striatumd.lease_id not null,
  job_id        striatumd.job_id not null,
  attempt       integer not null,
  packet_json   text not null,
  packet_sha256 striatumd.sha256_hex not null,
  issued_at     timestamptz not null,
  constraint work_packets_are_distinct primary key (packet_id),
  constraint work_packets_one_a_lease unique (lease_id),
  constraint work_packets_belong_to_a_message
    foreign key (message_id) references striatumd.queue_messages,
  constraint work_packets_packet_is_an_object check (jsonb_typeof(packet_json::jsonb) = 'object')
);
create index work_packets_of_a_session on striatumd.work_packets (session_id);
create trigger append_only before update or delete on striatumd.work_packets
  for each row execute function striatumd.append_only();
create trigger never_emptied before truncate on striatumd.work_packets
  for each statement execute function striatumd.append_only();

-- What an attempt at a job began with, and how it ended.
create table striatumd.job_attempts (
  job_id      striatumd.job_id not null,
  attempt     integer not null,
  write_scope jsonb not null,                       -- frozen at the first claim
  baseline    jsonb not null,                       -- what was changed in it then: {status, ...}
  begun_at    timestamptz not null,
  ended_at    timestamptz,
  outcome     striatumd.word,
  constraint job_attempts_are_distinct primary key (job_id, attempt),
  constraint job_attempts_belong_to_a_job foreign key (job_id) references striatumd.jobs,
  constraint job_attempts_attempt_counts check (attempt >= 1),
  constraint job_attempts_ended_has_an_outcome check ((ended_at is null) = (outcome is null))
);
