-- What a session is told that gets no work, and that it then ends; who is to ask again is told
-- so by the absence of `idle_behavior`, which the caller takes out.
create function striatumd.no_work(p_session striatumd.sessions, p_reason text,
    p_more jsonb default '{}')
  returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_concat(pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
    'type', 'none',
    'status', 'no_work',
    'reason', p_reason,
    'run_id', (p_session).run_id,
    'session_id', (p_session).session_id,
    'session_state', (p_session).state,
    'next_action', case when (p_session).state <> 'active' then 'register_fresh_session' end,
    'idle_behavior', 'exit_session')), p_more);
end
$$;
