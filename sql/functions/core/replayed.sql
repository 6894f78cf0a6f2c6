-- The third step, for a method that changes: the stored reply of the same request, marked; a
-- refusal where the request id stands for something else; null where the request is new.
--
-- Locks:  the request (client and request id), until the end of the transaction: two of a kind take
--         turns, and the second finds the first one's reply
-- Keeps:  a secret is given out once: the reply that carried one is not repeated
create function striatumd.replayed(p_call striatumd.call_context, p_method striatumd.methods,
    p_request jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_key   text := concat_ws(':', 'striatum:request', p_call.client_id, p_call.request_id);
  v_first striatumd.command_requests;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  perform pg_advisory_xact_lock(hashtextextended(v_key, 0));

  -- read
  select * into v_first from striatumd.command_requests
   where client_id = p_call.client_id and request_id = p_call.request_id;
  if not found then
    return null;
  end if;

  -- refuse
  if v_first.method <> p_method.method
     or v_first.params_sha256 <> striatumd.params_sha256(p_request -> 'params')
     or v_first.principal_id is distinct from p_call.principal_id then
    return jsonb_build_object('ok', false, 'error', striatumd.refusal('duplicate_request',
      format('request id %s was used for another request', p_call.request_id),
      jsonb_build_object('request_id', p_call.request_id, 'method', v_first.method),
      array['the same request with a new request_id']));
  end if;
  if 'minted_secret' = any (p_method.observers) and v_first.reply -> 'ok' = 'true' then
    return jsonb_build_object('ok', false, 'error', striatumd.refusal('secret_already_issued',
      'this request was answered with a secret, which nobody has kept',
      jsonb_build_object('client_id', v_first.reply #> '{data,client_id}'),
      array[format('striatum token rotate %s', v_first.reply #>> '{data,client_id}')]));
  end if;

  -- reply
  return v_first.reply || jsonb_build_object('replayed', true, 'effects_pending', exists (
    select from striatumd.effects
     where client_id = p_call.client_id and request_id = p_call.request_id
       and state in ('planned', 'failed')));
end
$$;
