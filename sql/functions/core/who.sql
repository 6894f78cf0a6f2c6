-- The second step: who asks, as far as it is proven. A token whose secret is right names its
-- client, the client's principal and its session, also where it has been revoked or has expired:
-- whether it may act is another step's question. A call of the daemon's own names its instance.
--
-- Keeps:  nothing is believed of the request but what its secret proves; the labels
--         striatum.principal_id and app.session_id say it, for who looks at the log
create function striatumd.who(p_request jsonb) returns striatumd.call_context
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_call striatumd.call_context;
begin
  perform striatumd.assert_daemon_authority();
  v_call.request_id := p_request ->> 'request_id';
  v_call.observed := coalesce(p_request -> 'observed', '{}')
    || jsonb_build_object('daemon', p_request -> 'daemon');
  v_call.at := striatumd.now();
  if p_request ->> 'transport' = 'internal' then
    select 'striatumd-' || instance_id into v_call.client_id from striatumd.daemon_authority;
    return v_call;
  end if;
  select c.client_id, l.principal_id, s.session_id, s.repository_id
    into v_call.client_id, v_call.principal_id, v_call.session_id, v_call.repository_id
    from striatumd.clients c
    left join striatumd.principal_clients l on l.client_id = c.client_id and l.unlinked_at is null
    left join striatumd.client_sessions s on s.client_id = c.client_id
   where c.client_id = p_request #>> '{token,client_id}'
     and c.token_hash
       = sha256(convert_to(p_request #>> '{token,secret}', 'UTF8') || c.token_salt);
  perform set_config('striatum.principal_id', coalesce(v_call.principal_id, ''), true),
          set_config('app.session_id', coalesce(v_call.session_id, ''), true);
  return v_call;
end
$$;
