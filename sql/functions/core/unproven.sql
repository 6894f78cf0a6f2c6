-- The refusal of a request whose method there is not, or whose token proves nothing; null where the
-- method is open to this transport and the client is known, or does not have to be.
create function striatumd.unproven(p_call striatumd.call_context, p_method striatumd.methods,
    p_request jsonb)
  returns jsonb
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  if p_method.method is null
     or p_method.internal <> (p_request ->> 'transport' = 'internal') then
    return striatumd.refusal('method_unknown',
      format('there is no method %s', left(p_request ->> 'method', 128)),
      jsonb_build_object('method', left(p_request ->> 'method', 128)),
      array['striatum describe']);
  end if;
  if p_method.capability is null or p_call.client_id is not null then
    return null;
  end if;
  if p_request #>> '{token,client_id}' is null then
    return striatumd.refusal('token_missing', format('%s needs a token', p_method.method), '{}',
      array['striatum --token-file FILE ...']);
  end if;
  return striatumd.refusal('token_invalid', 'the token is not one of this daemon''s', '{}',
    array['striatum --token-file FILE ...', 'striatumd token recover']);
end
$$;
