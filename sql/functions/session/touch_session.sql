-- Notes that a session was heard of.
create function striatumd.touch_session(p_call striatumd.call_context, p_session_id text)
  returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  insert into striatumd.session_liveness values (p_session_id, p_call.at)
  on conflict (session_id) do update set last_seen_at = excluded.last_seen_at;
end
$$;
