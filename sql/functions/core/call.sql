-- The door: the one function of this schema that the daemon's login may execute.
--
-- Request:  {schema_version, request_id, method, params, phase, deadline_ms, token, transport,
--           observed, is_durable, is_final, daemon: {instance_id, version}, refusal (phase
--           reject)}
-- Reply:    {ok, data | error, effects, wakes, audit_id, replayed?, effects_pending?}; of a
--           preflight that lets the request go on {ok, observe}
-- Phases:   preflight says what each observer must look at; decide and record run the method;
--           reject records a request that ended outside
-- Locks:    the request, what the lock class says, (the method's own), event chains, audit chain
-- Keeps:    one request, one audit row, written last by the phase that ends it; a refusal of the
--           method's (ST001) undoes what the method did and nothing else; the secret is gone when
--           this returns, also within a longer transaction
--           a decision that settles nothing ends no request: ST002 undoes all of it, unless the
--           request says is_final; that answer is not kept for a repetition. The message says
--           whether to wait or to look again, the detail which wake to wait for
create function striatumd.call(p_authority bytea, p_request jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
  set striatum.daemon_auth to ''
as $$
declare
  v_params   jsonb := coalesce(p_request -> 'params', '{}');
  v_method   striatumd.methods;
  v_call     striatumd.call_context;
  v_decision striatumd.decision;
  v_looks    jsonb;
  v_error    jsonb;
  v_reply    jsonb;
  v_refusal  text;
  v_effects  jsonb := '[]'::jsonb;
begin
  perform striatumd.prelude(p_authority, p_request);
  if p_request ->> 'phase' = 'reject' then
    return striatumd.rejected(p_request);
  end if;

  -- who
  select * into v_method from striatumd.methods where method = p_request ->> 'method';
  v_call  := striatumd.who(p_request);
  v_error := striatumd.unproven(v_call, v_method, p_request);

  -- replay
  if v_error is null and v_method.changes then
    v_reply := striatumd.replayed(v_call, v_method, p_request);
    v_error := v_reply -> 'error';
  end if;

  -- may they
  if v_error is null and v_reply is null then
    v_call  := striatumd.scoped(v_call, v_method, v_params);
    v_error := striatumd.denied(v_call, v_method, v_params);
    if v_error is null and p_request ->> 'phase' is distinct from 'preflight'
       and (v_method.changes or v_method.lock_class <> 'none') then
      perform striatumd.take_locks(v_call, v_method);
      v_call  := striatumd.scoped(v_call, v_method, v_params);
      v_error := striatumd.denied(v_call, v_method, v_params);
    end if;
  end if;
  v_call.at := striatumd.now();

  -- decide
  if v_error is null and v_reply is null then
    begin
      if p_request ->> 'phase' = 'preflight' then
        v_looks := striatumd.looks(v_call, v_method, v_params);
      else
        v_decision := striatumd.dispatch(replace(v_method.method, '.', '_'), v_call, v_params);
        if v_decision.unsettled is not null and p_request -> 'is_final' is distinct from 'true' then
          raise exception using errcode = 'ST002', message = v_decision.unsettled,
            detail = coalesce(v_decision.wakes ->> 0, concat('run:', v_call.run_id));
        end if;
        v_error := v_decision.refusal;
      end if;
    exception when sqlstate 'ST001' then
      get stacked diagnostics v_refusal = pg_exception_detail;
      v_decision := null;
      v_error := v_refusal::jsonb;
    end;
    if v_looks is not null then
      return jsonb_build_object('ok', true, 'observe', v_looks);
    end if;
  end if;

  -- append
  v_reply := coalesce(v_reply, case when v_error is null
    then jsonb_build_object('ok', true, 'data', v_decision.data)
    else jsonb_build_object('ok', false, 'error', v_error) end);
  if v_decision.data is not null or v_decision.refusal is not null then
    if v_decision.events <> '[]' then
      perform striatumd.append_events(v_decision.events);
    end if;
    if v_decision.effects <> '[]' then
      v_effects := striatumd.plan_effects(v_call, v_decision.effects);
    end if;
    if v_method.changes and v_decision.unsettled is null then
      insert into striatumd.command_requests values (v_call.client_id, v_call.request_id,
        v_call.principal_id, v_call.repository_id, v_method.method,
        striatumd.params_sha256(v_params), v_reply, v_call.at);
    end if;
  end if;
  return v_reply || jsonb_build_object('effects', v_effects,
    'wakes', case when v_decision.unsettled is null then coalesce(v_decision.wakes, '[]')
             else '[]' end,
    'audit_id', striatumd.append_audit(v_call, p_request, v_error ->> 'code')::text);
end
$$;

grant usage on schema striatumd to striatumd_rw;
grant execute on function striatumd.call(bytea, jsonb) to striatumd_rw;
