-- How the agent of a session ended that had handed nothing in, and where what its terminal showed
-- is kept: for whoever decides about its work. Nothing where the session never had one.
create function striatumd.owner_end(p_session_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce((
    select jsonb_build_object('supervisor_id', supervisor_id, 'exit_code', exit_code,
             'exit_signal', exit_signal, 'terminal_log',
             format('.striatum/scratch/%s/pty.log', supervisor_id), 'ended', case
               when exit_code = 0 then 'exited_without_result'
               when exit_code is not null then 'exited_with_error'
               when exit_signal is not null then 'ended_by_signal'
               else state::text end)
      from striatumd.process_supervisors
     where session_id = p_session_id
     order by started_at desc, supervisor_id limit 1), '{}')
$$;
