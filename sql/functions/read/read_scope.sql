-- What the runtime login can read, as one word: door_only (nothing), partial_projection_gated (the
-- four gates hold: secrets of clients, principals, principals of clients, sessions of clients), or
-- broad_runtime_select.
create function striatumd.read_scope() returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select case
    when count(*) = 0 then 'door_only'
    when count(*) filter (where name in ('clients', 'clients.token_hash', 'clients.token_salt',
           'principal_clients', 'principal_clients.principal_id')
           or name ~ '^(principals|client_sessions)(\.|$)') = 0 then 'partial_projection_gated'
    else 'broad_runtime_select' end
    from striatumd.open_reads() as name
$$;
