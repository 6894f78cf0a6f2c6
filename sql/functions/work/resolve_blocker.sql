-- Resolves an open blocker. The answer is the change, for the event that says why.
create function striatumd.resolve_blocker(p_call striatumd.call_context, p_blocker_id text,
    p_resolution text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before  striatumd.blockers;
  v_blocker striatumd.blockers;
begin
  perform striatumd.assert_daemon_authority();
  select * into strict v_before from striatumd.blockers
   where blocker_id = p_blocker_id and state = 'open' for update;
  update striatumd.blockers
     set state = 'resolved', resolved_at = p_call.at, resolution = p_resolution,
         resolved_by = p_call.client_id
   where blocker_id = p_blocker_id returning * into v_blocker;
  return striatumd.moved('blocker', p_blocker_id, striatumd.blocker_folded(v_before),
    striatumd.blocker_folded(v_blocker));
end
$$;
