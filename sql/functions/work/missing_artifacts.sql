-- What a job has to leave behind and has not published at its current attempt, in the order of its
-- workflow. What is expected is required, unless it says otherwise.
create function striatumd.missing_artifacts(p_job striatumd.jobs) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('logical_name', e -> 'logical_name',
           'kind', e -> 'kind', 'path', e -> 'path') order by n), '[]')
    from jsonb_array_elements((p_job).spec -> 'expected_artifacts')
         with ordinality as expected (e, n)
   where coalesce((e ->> 'required')::boolean, true) and not exists (
     select from striatumd.artifacts a
      where a.job_id = (p_job).job_id and a.attempt = (p_job).attempt
        and a.logical_name = e ->> 'logical_name')
$$;
