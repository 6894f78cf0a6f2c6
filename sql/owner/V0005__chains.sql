-- The audit chain, one for this database, and the event chains, one a repository. A row carries the
-- hash of the row before and its own, format 3 (functions/core/hash_v3.sql). Segments are
-- partitions, numbered for both tables together; segment 1 is there from the first day.

create type striatumd.audit_decision as enum ('allowed', 'denied', 'error');
create type striatumd.transport as enum ('rpc', 'mcp', 'web', 'internal');

-- One request, one row; metadata only. Not hashed: recorded_at, principal_id, session_id, for
-- display, and audit_id, which is previous + 1.
create table striatumd.audit_log (
  segment_id          bigint not null,
  audit_id            striatumd.counted not null,
  ts                  timestamptz not null,   -- whole seconds, as hashed
  recorded_at         timestamptz not null,   -- the same instant, taken under the chain lock
  schema_version      integer not null,
  hash_format_version integer not null,
  daemon_version      text,
  client_id           text,                   -- null until proven; striatumd-<instance_id> for the
  principal_id        text,                   --   daemon's own calls
  session_id          text,
  repository_id       text,
  method              striatumd.asked not null,  -- as asked for, cut to 128 octets
  decision            striatumd.audit_decision not null,
  denial_reason       text,                   -- the error code
  transport           striatumd.transport not null,
  request_id          striatumd.asked,        -- as asked for, cut to 128 octets
  exit_code           striatumd.exit_code,    -- of the error code; null on success
  params_sha256       striatumd.sha256_hex not null,  -- over params::text as jsonb
  previous_hash       striatumd.sha256_hex,   -- null in the first row alone
  row_hash            striatumd.sha256_hex not null,
  constraint audit_log_rows_are_distinct primary key (segment_id, audit_id),
  constraint audit_log_first_row_alone_has_no_previous
    check ((previous_hash is null) = (audit_id = 1)),
  constraint audit_log_ts_is_recorded_at_in_seconds check (ts = date_trunc('second', recorded_at)),
  constraint audit_log_schema_version_is_1 check (schema_version = 1),
  constraint audit_log_hash_format_is_3 check (hash_format_version = 3),
  constraint audit_log_success_alone_has_no_reason
    check ((decision = 'allowed') = (denial_reason is null)),
  constraint audit_log_success_alone_has_no_exit_code
    check ((decision = 'allowed') = (exit_code is null)),
  constraint audit_log_principal_has_a_client check (principal_id is null or client_id is not null),
  constraint audit_log_session_has_a_client check (session_id is null or client_id is not null)
) partition by list (segment_id);
create table striatumd.audit_log_1 partition of striatumd.audit_log for values in (1);

-- What changed. Not hashed: segment_id, and recorded_at, for display.
create table striatumd.events (
  segment_id       bigint not null,
  repository_id    text not null,
  event_id         striatumd.counted not null,  -- previous + 1 in its repository
  run_id           text,
  event_type       striatumd.event_type not null,  -- <noun>.<past participle>
  actor_session_id text,
  job_id           text,
  message_id       text,
  artifact_id      text,
  lease_id         text,
  payload_json     striatumd.event_payload not null,  -- the octets that are hashed
  created_at       timestamptz not null, -- whole seconds, as hashed
  recorded_at      timestamptz not null,
  previous_hash    striatumd.sha256_hex,
  row_hash         striatumd.sha256_hex not null,
  constraint events_are_distinct primary key (segment_id, repository_id, event_id),
  constraint events_first_alone_has_no_previous check ((previous_hash is null) = (event_id = 1)),
  constraint events_created_at_is_recorded_at_in_seconds
    check (created_at = date_trunc('second', recorded_at))
) partition by list (segment_id);
create table striatumd.events_1 partition of striatumd.events for values in (1);

-- Not even a function of the owner's changes what was recorded.
create function striatumd.append_only() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using errcode = '23514', constraint = tg_table_name || '_is_append_only',
    message = format('%s is append-only', tg_table_name);
end
$$;
create trigger append_only before update or delete on striatumd.audit_log
  for each row execute function striatumd.append_only();
create trigger append_only before update or delete on striatumd.events
  for each row execute function striatumd.append_only();
create trigger never_emptied before truncate on striatumd.audit_log
  for each statement execute function striatumd.append_only();
create trigger never_emptied before truncate on striatumd.events
  for each statement execute function striatumd.append_only();
create trigger never_emptied before truncate on striatumd.audit_log_1
  for each statement execute function striatumd.append_only();
create trigger never_emptied before truncate on striatumd.events_1
  for each statement execute function striatumd.append_only();

-- The newest row of the chain: read by key, never stored (an updated row decays under old
-- snapshots).
create view striatumd.audit_chain_head as
  select segment_id, audit_id, row_hash, recorded_at from striatumd.audit_log
   order by segment_id desc, audit_id desc limit 1;
