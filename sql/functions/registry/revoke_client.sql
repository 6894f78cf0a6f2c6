-- Takes a client's token and its capabilities back. Its link to a principal stays, so that what it
-- did keeps its author.
create function striatumd.revoke_client(p_call striatumd.call_context, p_client_id text)
  returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  update striatumd.clients set revoked_at = p_call.at
   where client_id = p_client_id and revoked_at is null;
  update striatumd.client_capabilities set revoked_at = greatest(granted_at, p_call.at)
   where client_id = p_client_id and revoked_at is null;
end
$$;
