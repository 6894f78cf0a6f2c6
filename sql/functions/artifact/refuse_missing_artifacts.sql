-- Refuses to end work whose attempt has not published everything that it has to.
--
-- Errors: artifact_missing   what is missing, and how to publish it
create function striatumd.refuse_missing_artifacts(p_job striatumd.jobs, p_lease_id text)
  returns void
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_missing jsonb := striatumd.missing_artifacts(p_job);
begin
  perform striatumd.assert_daemon_authority();
  if v_missing = '[]' then
    return;
  end if;
  perform striatumd.refuse('artifact_missing',
    format('the job %s has not published %s', p_job.workflow_job_id, (
      select string_agg(value ->> 'logical_name', ', ') from jsonb_array_elements(v_missing))),
    jsonb_build_object('job_id', p_job.job_id, 'missing', v_missing),
    (select array_agg(format('striatum publish-artifact %s %s', p_lease_id,
              striatumd.shell_word(value ->> 'path')))
       from jsonb_array_elements(v_missing)));
end
$$;
