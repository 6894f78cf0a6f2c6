-- doctor, active_session_on_terminal_run: no session outlives its run.
create function striatumd.check_terminal_runs() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('availability', 'active_session_on_terminal_run', count(*) = 0, case
      when count(*) > 0 then format('%s sessions are active, and their runs have ended', count(*))
      else 'no session has outlived its run' end,
    jsonb_agg(s.session_id order by s.session_id collate "C"),
    array_agg(format('striatum session close %s --reason TEXT', s.session_id)
      order by s.session_id collate "C"))
    from striatumd.sessions s join striatumd.runs r on r.run_id = s.run_id
   where s.state = 'active' and r.finished_at is not null
$$;
