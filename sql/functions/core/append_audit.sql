-- Appends the audit row of a request: the last write of every call. The answer is its id.
--
-- Locks:  the audit chain
-- Keeps:  method and request id are cut to what fits: a request that is refused has its row all the
--         same
--         an id is the one before plus one; the row carries the hash of the one before
--         authority holds now that the chain is ours: a daemon that was superseded while it waited
--         appends nothing
create function striatumd.append_audit(p_call striatumd.call_context, p_request jsonb,
    p_denial_reason text)
  returns bigint
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_segment constant bigint := 1;        -- others come with the closing of segments
  v_id      bigint;
  v_last    text;
  v_at      timestamptz;
  v_exit    integer;
  v_params  text := striatumd.params_sha256(p_request -> 'params');
  v_method  text := striatumd.cut(coalesce(p_request ->> 'method', ''), 128);
  v_request text := striatumd.cut(p_request ->> 'request_id', 128);
  v_version text := p_request #>> '{daemon,version}';
  v_outcome striatumd.audit_decision := (case
    when p_denial_reason is null then 'allowed'
    when p_denial_reason = 'internal_error' then 'error'
    else 'denied' end)::striatumd.audit_decision;
begin
  perform pg_advisory_xact_lock(hashtextextended('striatum:audit', 0));
  perform striatumd.assert_daemon_authority();
  if p_denial_reason is not null then
    select exit_code into v_exit from striatumd.error_codes where code = p_denial_reason;
  end if;
  select audit_id, row_hash into v_id, v_last from striatumd.audit_log
   where segment_id = v_segment order by audit_id desc limit 1;
  v_id := coalesce(v_id, 0) + 1;
  v_at := striatumd.now();
  insert into striatumd.audit_log values (
    v_segment, v_id, date_trunc('second', v_at), v_at, 1, 3, v_version, p_call.client_id,
    p_call.principal_id, p_call.session_id, p_call.repository_id, v_method, v_outcome,
    p_denial_reason, (p_request ->> 'transport')::striatumd.transport, v_request, v_exit, v_params,
    v_last,
    striatumd.hash_v3(striatumd.utc_seconds(v_at), '1', '3', v_version, p_call.client_id,
      p_call.repository_id, v_method, v_outcome::text, p_denial_reason, p_request ->> 'transport',
      v_request, v_exit::text, v_params, v_last, v_segment::text));
  return v_id;
end
$$;
