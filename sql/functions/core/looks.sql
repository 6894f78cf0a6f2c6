-- What each observer of a method must look at: `{<observer>: <what>}`.
create function striatumd.looks(p_call striatumd.call_context, p_method striatumd.methods,
    p_params jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_looks    jsonb := '{}'::jsonb;
  v_observer text;
  v_look     jsonb;
begin
  perform striatumd.assert_daemon_authority();
  foreach v_observer in array p_method.observers loop
    execute format('select striatumd.%I($1, $2)', 'observe_' || v_observer)
       into v_look using p_call, p_params;
    v_looks := v_looks || jsonb_build_object(v_observer, v_look);
  end loop;
  return v_looks;
end
$$;
