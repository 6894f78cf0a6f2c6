-- Phase reject: gives a request that ended outside of the database its audit row, and answers the
-- refusal that the daemon found for it. A token that is right names its client; nothing else of the
-- request is believed.
--
-- Keeps:  what was rejected is never on record as allowed: without a refusal this raises
create function striatumd.rejected(p_request jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  if p_request #>> '{refusal,code}' is null then
    raise exception 'a request was rejected without a refusal';
  end if;
  return jsonb_build_object('ok', false, 'error', p_request -> 'refusal', 'effects', '[]'::jsonb,
    'wakes', '[]'::jsonb, 'audit_id',
    striatumd.append_audit(striatumd.who(p_request), p_request,
      p_request #>> '{refusal,code}')::text);
end
$$;
