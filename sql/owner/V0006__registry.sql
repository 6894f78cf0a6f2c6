-- Who may act, and on which repositories.

create type striatumd.repository_state as enum ('active', 'removed');
create type striatumd.principal_kind as enum ('human', 'ai_operator', 'service');

-- An id is never used again: removing keeps the row, adding again makes a new one.
create table striatumd.repositories (
  repository_id  striatumd.repository_id not null,
  root           striatumd.absolute_path not null,  -- canonical absolute path
  inode          text not null,         -- decimal; with root the identity of the folder
  display_name   striatumd.line not null,
  state          striatumd.repository_state not null,
  is_initialized boolean not null,      -- .striatum/scratch and the .gitignore entry are there
  added_at       timestamptz not null,
  removed_at     timestamptz,
  constraint repositories_are_distinct primary key (repository_id),
  constraint repositories_inode_is_a_number check (inode ~ '^[0-9]{1,20}$'),
  constraint repositories_removed_has_an_instant
    check ((state = 'removed') = (removed_at is not null)),
  constraint repositories_removed_after_added check (removed_at >= added_at)
);
create unique index repositories_one_active_per_root on striatumd.repositories (root)
  where state = 'active';

create table striatumd.principals (
  principal_id text not null,
  kind         striatumd.principal_kind not null,
  display_name striatumd.line not null,
  created_at   timestamptz not null,
  constraint principals_are_distinct primary key (principal_id),
  constraint principals_id_is_a_word check (principal_id ~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$')
);

-- A client is one token. Its secret is known to its holder alone.
create table striatumd.clients (
  client_id    striatumd.client_id not null,
  display_name striatumd.line not null,
  token_hash   bytea not null,          -- sha256(secret || salt)
  token_salt   bytea not null,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  constraint clients_are_distinct primary key (client_id),
  constraint clients_token_hash_is_sha256 check (octet_length(token_hash) = 32),
  constraint clients_token_salt_is_long check (octet_length(token_salt) >= 16),
  constraint clients_expire_after_creation check (expires_at > created_at),
  constraint clients_revoked_after_creation check (revoked_at >= created_at)
);

-- What a client may do, in one repository or (null) everywhere.
create table striatumd.client_capabilities (
  grant_number  bigint generated always as identity,
  client_id     text not null,
  capability    striatumd.capability not null,
  repository_id text,
  granted_at    timestamptz not null,
  revoked_at    timestamptz,
  constraint client_capabilities_are_distinct primary key (grant_number),
  constraint client_capabilities_belong_to_a_client
    foreign key (client_id) references striatumd.clients,
  constraint client_capabilities_revoked_after_grant check (revoked_at >= granted_at)
);
create unique index client_capabilities_one_live_grant
  on striatumd.client_capabilities (client_id, capability, coalesce(repository_id, ''))
  where revoked_at is null;
create index client_capabilities_of_a_repository
  on striatumd.client_capabilities (repository_id) where revoked_at is null;

-- A client that acts as one session of one repository, and as no other.
create table striatumd.client_sessions (
  client_id     text not null,
  session_id    striatumd.session_id not null,
  repository_id text not null,
  bound_at      timestamptz not null,
  constraint client_sessions_one_session_a_client primary key (client_id),
  constraint client_sessions_belong_to_a_client
    foreign key (client_id) references striatumd.clients
);

-- client_id is a bare column: a link outlives whatever becomes of the client.
create table striatumd.principal_clients (
  link_number  bigint generated always as identity,
  principal_id text not null,
  client_id    striatumd.client_id not null,
  linked_at    timestamptz not null,
  unlinked_at  timestamptz,
  constraint principal_clients_are_distinct primary key (link_number),
  constraint principal_clients_belong_to_a_principal
    foreign key (principal_id) references striatumd.principals,
  constraint principal_clients_unlinked_after_link check (unlinked_at >= linked_at)
);
create unique index principal_clients_one_live_link on striatumd.principal_clients (client_id)
  where unlinked_at is null;

-- The head of each repository's event chain: by key one look into the index. The key begins with
-- the segment, so that is named, too; others come with the closing of segments.
create view striatumd.repo_event_chain_heads as
  select r.repository_id, e.segment_id, e.event_id, e.row_hash, e.recorded_at
    from striatumd.repositories r
   cross join lateral (
     select segment_id, event_id, row_hash, recorded_at from striatumd.events
      where segment_id = 1 and repository_id = r.repository_id
      order by event_id desc limit 1) e;
