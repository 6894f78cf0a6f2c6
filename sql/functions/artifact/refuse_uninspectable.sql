-- Refuses to let work go on whose required artifacts cannot be looked at where they were published:
-- each has to lie there, or in a commit, with the content that it had.
--
-- Errors: artifact_uninspectable   which, and what was found in their place
create function striatumd.refuse_uninspectable(p_call striatumd.call_context, p_job striatumd.jobs,
    p_next text[])
  returns void
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_lost jsonb := jsonb_path_query_array(striatumd.lost_artifacts(p_call, p_job.job_id),
    '$[*] ? (@.workflow_job_id == $job)', jsonb_build_object('job', p_job.workflow_job_id));
begin
  perform striatumd.assert_daemon_authority();
  if v_lost = '[]' then
    return;
  end if;
  perform striatumd.refuse('artifact_uninspectable',
    format('what the job %s published cannot be looked at, and has to be put back: %s',
      p_job.workflow_job_id, (
      select string_agg(concat(value ->> 'path', ' (', value ->> 'readback', ')'), ', ')
        from jsonb_array_elements(v_lost))),
    jsonb_build_object('job_id', p_job.job_id, 'artifacts', v_lost, 'guidance',
      'put each file back as it was published, from the run''s branch or from a copy'),
    p_next);
end
$$;
