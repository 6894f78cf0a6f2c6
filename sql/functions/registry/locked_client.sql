-- A client, to be taken back or replaced: nothing that it asked for is still under way.
--
-- Errors:  client_unknown  there is no such client
create function striatumd.locked_client(p_client_id text) returns striatumd.clients
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_client striatumd.clients;
begin
  perform striatumd.assert_daemon_authority();
  perform pg_advisory_xact_lock(hashtextextended('striatum:client:' || p_client_id, 0));
  select * into v_client from striatumd.clients where client_id = p_client_id for update;
  if not found then
    perform striatumd.refuse('client_unknown', format('there is no client %s', p_client_id),
      jsonb_build_object('client_id', p_client_id), array['striatum token list']);
  end if;
  return v_client;
end
$$;
