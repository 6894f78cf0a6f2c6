-- doctor, run_needs_operator: no run waits for an operator, nor any of its work. That is work, and
-- no fault: a warning.
create function striatumd.check_waiting_runs() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('availability', 'run_needs_operator', true, case
      when count(*) > 0 then format('runs that wait for an operator: %s', count(*))
      else 'no run waits for an operator' end,
    jsonb_agg(run_id order by created_at, run_id), null)
    || jsonb_build_object('is_warning', count(*) > 0, 'next', coalesce(
      jsonb_agg(format('striatum why %s', run_id) order by created_at, run_id), '[]'))
    from striatumd.runs r
   where state = 'needs_operator' or finished_at is null and exists (
     select from striatumd.blockers b where b.run_id = r.run_id and b.state = 'open')
$$;
