-- What this database is, which functions were put into it last, and the codes of refusals.

create type striatumd.installation_kind as enum (
  'production',
  'test'             -- time may be stopped (core/now.sql); set by the owner, never through the door
);

create table striatumd.installation (
  is_installed          boolean not null default true,
  kind                  striatumd.installation_kind not null default 'production',
  functions_sha256      striatumd.sha256_hex,  -- over the files; null until the first apply
  functions_live_sha256 striatumd.sha256_hex,  -- over the functions as the catalogue then had them
  functions_applied_at  timestamptz,
  constraint installation_is_one_row primary key (is_installed),
  constraint installation_row_stands_for_itself check (is_installed),
  constraint installation_stamp_has_hashes_and_instant check (
    (functions_sha256 is null) = (functions_applied_at is null)
    and (functions_sha256 is null) = (functions_live_sha256 is null))
);

insert into striatumd.installation default values;

-- The rows belong to functions/core/error_codes.sql and are written anew at every apply.
create table striatumd.error_codes (
  code         text not null,
  exit_code    striatumd.exit_code not null,  -- what a command line program ends with
  http_status  integer not null,
  is_retryable boolean not null,          -- the same request may succeed later, unchanged
  explanation  text not null,             -- one sentence for the reference
  constraint error_codes_are_distinct primary key (code),
  constraint error_codes_are_snake_case check (code ~ '^[a-z][a-z0-9]*(_[a-z0-9]+)*$'),
  constraint error_codes_http_status_is_an_error check (http_status between 400 and 599),
  constraint error_codes_explanation_is_a_sentence check (explanation ~ '^[A-Z].*\.$')
);
