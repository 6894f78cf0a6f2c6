-- Why the branch that a run has on record could not be made, the last time that it was tried; null
-- where that did not fail, or was not tried.
create function striatumd.branch_problem(p_run striatumd.runs) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return (
    select problem from striatumd.effects
     where args ->> 'run_id' = p_run.run_id and state = 'abandoned' and kind = 'branch_present'
       and args ->> 'branch' = p_run.branch_name
     order by finished_at desc, effect_id limit 1);
end
$$;
