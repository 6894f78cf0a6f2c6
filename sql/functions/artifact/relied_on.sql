-- What has to be there when a job ends, as artifacts: of what it has to publish itself, what its
-- attempt has published; and, where nothing else of its run is left to do, that of every job that
-- was completed. Without a job, all of the run.
create function striatumd.relied_on(p_run_id text, p_job_id text)
  returns setof striatumd.artifacts
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select a.* from striatumd.jobs j cross join striatumd.required_artifacts(j) a
   where j.run_id = p_run_id and (j.job_id = p_job_id
      or j.state = 'completed' and not exists (
        select from striatumd.jobs other
         where other.run_id = p_run_id and other.job_id is distinct from p_job_id
           and other.state not in ('completed', 'failed', 'canceled', 'skipped')))
   order by j.ordinal, a.logical_name
$$;
