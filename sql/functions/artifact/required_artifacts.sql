-- Of what a job has to publish, the artifacts that its attempt has published, by their names.
create function striatumd.required_artifacts(p_job striatumd.jobs)
  returns setof striatumd.artifacts
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select a.* from striatumd.artifacts a
   where a.job_id = p_job.job_id and a.attempt = p_job.attempt
     and exists (
       select from jsonb_array_elements(coalesce(p_job.spec -> 'expected_artifacts', '[]'))
        where value ->> 'logical_name' = a.logical_name
          and value -> 'required' is distinct from 'false')
   order by a.logical_name
$$;
