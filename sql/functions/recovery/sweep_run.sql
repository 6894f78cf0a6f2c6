-- One look over a run for work whose session has ended: each such lease is recovered. The answer is
-- the events.
create function striatumd.sweep_run(p_call striatumd.call_context) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_session_id text;
  v_events     jsonb := '[]'::jsonb;
begin
  perform striatumd.assert_daemon_authority();
  for v_session_id in
    select l.session_id from striatumd.leases l join striatumd.sessions s using (session_id)
     where l.run_id = p_call.run_id and l.state = 'active' and s.state <> 'active'
     order by l.session_id
  loop
    v_events := v_events || striatumd.recover_session(p_call, v_session_id);
  end loop;
  return v_events;
end
$$;
