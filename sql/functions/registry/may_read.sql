-- Whether a client may read in a repository: it was granted that there, or for all.
create function striatumd.may_read(p_client_id text, p_repository_id text) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.assert_daemon_authority();
  select exists (
    select from striatumd.client_capabilities
     where client_id = p_client_id and revoked_at is null and capability = 'read'
       and (repository_id is null or repository_id = p_repository_id))
$$;
