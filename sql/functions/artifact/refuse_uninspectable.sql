-- Refuses to let work go on whose required artifacts cannot be looked at where they were published:
-- each has to lie there, with the content that it had.
--
-- Errors: artifact_uninspectable   which, and what was found in their place
create function striatumd.refuse_uninspectable(p_call striatumd.call_context, p_job striatumd.jobs,
    p_next text[])
  returns void
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_seen jsonb := coalesce(p_call.observed #> '{artifact_copies,files}', '[]');
  v_lost jsonb;
begin
  perform striatumd.assert_daemon_authority();
  select jsonb_agg(jsonb_build_object('artifact_id', a.artifact_id, 'path', a.repo_path,
           'placement', a.placement, 'readback', case
             when f is null then 'unknown'
             when f ->> 'state' <> 'present' then f ->> 'state' else 'differs' end)
           order by a.logical_name)
    into v_lost
    from striatumd.required_artifacts(p_job) a
    left join lateral (
      select value as f from jsonb_array_elements(v_seen)
       where value ->> 'path' = a.repo_path limit 1) s on true
   where f ->> 'state' is distinct from 'present'
      or f ->> 'sha256' is distinct from a.content_sha256;
  if v_lost is not null then
    perform striatumd.refuse('artifact_uninspectable',
      format('what the job %s published cannot be looked at: %s', p_job.workflow_job_id, (
        select string_agg(concat(value ->> 'path', ' (', value ->> 'readback', ')'), ', ')
          from jsonb_array_elements(v_lost))),
      jsonb_build_object('job_id', p_job.job_id, 'artifacts', v_lost, 'guidance',
        'put each file back as it was published, from the run''s branch or from a copy'),
      p_next);
  end if;
end
$$;
