-- What settles the branch of a run that waits for it: the branch on record, or, where that could
-- not be made, another one.
create function striatumd.branch_command(p_run striatumd.runs) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select format('striatum branch confirm %s%s', p_run.run_id,
    case when striatumd.branch_problem(p_run) is not null then ' --branch-name NAME' end)
$$;
