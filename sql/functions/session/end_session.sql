-- Ends an active session: `closed` with its reason, or `expired`, `stopped`, `lost`. Its token
-- ends with the supervisor; until then it is told that the session has ended. The answer is the
-- change, for the event that says why.
--
-- Keeps:  whatever lease the session holds is another step's to end
create function striatumd.end_session(p_call striatumd.call_context, p_session_id text,
    p_state striatumd.session_state, p_reason striatumd.close_reason, p_note text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before  striatumd.sessions;
  v_session striatumd.sessions;
begin
  perform striatumd.assert_daemon_authority();
  select * into strict v_before from striatumd.sessions
   where session_id = p_session_id and state = 'active' for update;
  update striatumd.sessions
     set state = p_state, closed_at = p_call.at, close_reason = p_reason,
         close_note = left(p_note, 200)
   where session_id = p_session_id returning * into v_session;
  return striatumd.moved('session', p_session_id, striatumd.session_folded(v_before),
    striatumd.session_folded(v_session));
end
$$;
