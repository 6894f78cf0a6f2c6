-- What columns of many tables hold. A check of a domain is planned once a session, a check of a
-- table anew for each statement that writes there (docs/performance.md): what a single value may be
-- belongs here, what values of a row say about each other to the table.

create domain striatumd.sha256_hex as text
  constraint sha256_hex_is_64_hex_digits check (value ~ '^[0-9a-f]{64}$');
create domain striatumd.counted as bigint
  constraint counted_is_from_1 check (value >= 1);
create domain striatumd.exit_code as integer
  constraint exit_code_is_a_failure check (value between 1 and 125);
create domain striatumd.asked as text           -- by anybody, and cut to fit
  constraint asked_is_short check (octet_length(value) <= 128);
create domain striatumd.line as text
  constraint line_is_one_and_short check (value ~ '^[^[:cntrl:]]+$' and length(value) <= 200);
create domain striatumd.absolute_path as text
  constraint absolute_path_is_one_and_short check (value ~ '^/' and octet_length(value) <= 4096);

create domain striatumd.repository_id as text
  constraint repository_id_is_prefixed check (value ~ '^repo_[0-9a-f]{16}$');
create domain striatumd.client_id as text
  constraint client_id_is_prefixed check (value ~ '^client_[0-9a-f]{16}$');
create domain striatumd.session_id as text
  constraint session_id_is_prefixed check (value ~ '^sess_[0-9a-f]{16}$');
create domain striatumd.effect_id as text
  constraint effect_id_is_prefixed check (value ~ '^eff_[0-9a-f]{16}$');

create domain striatumd.event_type as text      -- <noun>.<past participle>
  constraint event_type_is_noun_and_participle
    check (value ~ '^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$');
create domain striatumd.event_payload as text   -- {changes, reason, by}: the octets that are hashed
  constraint event_payload_is_an_object check (jsonb_typeof(value::jsonb) = 'object')
  constraint event_payload_is_bounded check (octet_length(value) <= 262144)
  constraint event_payload_holds_no_transcript check (
    not value::jsonb ?| array['stdout', 'stderr', 'transcript', 'raw_output', 'provider_output']);
create domain striatumd.stored_reply as jsonb
  constraint stored_reply_is_data_or_error check (
    value -> 'ok' = 'true' and value ? 'data' or value -> 'ok' = 'false' and value ? 'error');
