-- The runs that a question is about: the one that is named, or all of a repository that have not
-- ended.
create function striatumd.runs_in_view(p_repository_id text, p_run_id text)
  returns setof striatumd.runs
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select * from striatumd.runs
   where repository_id = p_repository_id
     and (run_id = p_run_id or p_run_id is null and finished_at is null)
$$;
