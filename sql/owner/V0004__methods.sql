-- What can be asked of the door. The rows belong to the methods' own files under functions/ and are
-- written anew at every apply.

create type striatumd.capability as enum (
  'read', 'write', 'review', 'claim', 'apply', 'admin', 'recovery', 'surgical_recovery'
);

create type striatumd.scope_mode as enum (
  'single_repo',      -- acts on the repository that params.repository_id or the session names
  'daemon_global'     -- acts on the daemon, or on the set of repositories
);

create type striatumd.lock_class as enum (
  'none',
  'repository',       -- the call's repository, exclusively
  'effect'            -- the repository of the effect that params.effect_id names, exclusively
);

create table striatumd.methods (
  method          text not null,
  summary         text not null,         -- one line for help and reference
  capability      striatumd.capability,  -- null: nobody has to prove who they are
  scope           striatumd.scope_mode not null,
  lock_class      striatumd.lock_class not null,
  changes         boolean not null,      -- the reply is stored and replayed
  internal        boolean not null default false,   -- the daemon's own; no transport reaches it
  lane            boolean not null default false,   -- a lane's token may see it
  human_only      boolean not null default false,   -- the client's principal must be a human
  params          jsonb not null,        -- JSON Schema, draft 2020-12
  observers       text[] not null default '{}',     -- observe_<name> says what to look at
  effects         text[] not null default '{}',     -- effect_<kind>_recorded takes the outcome
  error_codes     text[] not null,       -- the refusals of its own, beside those of the door
  cli_path        text[],                -- words of the command; null: no command
  cli_positionals text[] not null default '{}',     -- properties of params
  cli_shows       text[] not null default '{}',     -- keys that text output shows; empty: all
  cli_note        text,                  -- what it says beside them
  examples        text[] not null default '{}',     -- whole command lines
  constraint methods_are_distinct primary key (method),
  constraint methods_name_is_dotted_words
    check (method ~ '^[a-z_]+(\.[a-z_]+)*$' and length(method) <= 100),
  constraint methods_summary_is_a_line check (summary ~ '^[A-Z][^\n]*[^.\n]$'),
  constraint methods_params_is_a_closed_object
    check (params @> '{"type": "object", "additionalProperties": false}'),
  constraint methods_internal_has_no_surface
    check (not internal
           or cli_path is null and not lane and not human_only and capability is null),
  constraint methods_single_repo_has_a_capability
    check (scope = 'daemon_global' or capability is not null),
  constraint methods_repository_lock_has_a_repository
    check (lock_class <> 'repository' or scope = 'single_repo'),
  constraint methods_cli_path_has_words check (cardinality(cli_path) > 0),
  constraint methods_command_has_examples check (cli_path is null or cardinality(examples) > 0),
  constraint methods_text_is_a_commands
    check (cli_path is not null or cli_shows = '{}' and cli_note is null),
  constraint methods_note_is_a_line check (cli_note ~ '^[^\n]*[^.\n]$')
);
create unique index methods_one_per_command on striatumd.methods (cli_path);
