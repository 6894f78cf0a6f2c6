-- Makes a client of a minted secret, with its capabilities, in one repository or (null) everywhere;
-- the answer is its id.
create function striatumd.new_client(p_call striatumd.call_context, p_display_name text,
    p_expires_at timestamptz, p_capabilities striatumd.capability[], p_repository_id text)
  returns text
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_client_id text := striatumd.new_id('client');
begin
  perform striatumd.assert_daemon_authority();
  insert into striatumd.clients values (v_client_id, p_display_name,
    decode(p_call.observed #>> '{minted_secret,hash}', 'hex'),
    decode(p_call.observed #>> '{minted_secret,salt}', 'hex'), p_call.at, p_expires_at, null);
  insert into striatumd.client_capabilities (client_id, capability, repository_id, granted_at)
  select v_client_id, capability, p_repository_id, p_call.at
    from unnest(p_capabilities) as capability;
  return v_client_id;
end
$$;
