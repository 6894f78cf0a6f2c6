-- Runs a function by the name that the owner's tables give it: a method, or what takes the outcome
-- of an effect. Both are (call_context, jsonb) -> decision.
create function striatumd.dispatch(p_function text, p_call striatumd.call_context, p_params jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_decision striatumd.decision;
begin
  perform striatumd.assert_daemon_authority();
  execute format('select * from striatumd.%I($1, $2)', p_function)
     into v_decision using p_call, p_params;
  if v_decision.data is null and v_decision.refusal is null then
    raise exception '% decided nothing', p_function;
  end if;
  return v_decision;
end
$$;
