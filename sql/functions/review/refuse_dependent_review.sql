-- Refuses a verdict of a session that has published what is judged: whatever the jobs that lead to
-- the review, however far before it, published at the attempts that they are at. Nor may a job end
-- by a verdict that has none.
--
-- Errors: job_takes_no_verdict     it ends by its completion
--         review_not_independent   another session has to judge
create function striatumd.refuse_dependent_review(p_job striatumd.jobs, p_session_id text)
  returns void
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_own jsonb;
begin
  perform striatumd.assert_daemon_authority();
  if not p_job.is_verdict then
    perform striatumd.refuse('job_takes_no_verdict',
      format('the job %s is no review', p_job.workflow_job_id),
      jsonb_build_object('job_id', p_job.job_id, 'job_type', p_job.job_type),
      array['striatum complete LEASE_ID', 'striatum publish-artifact LEASE_ID PATH']);
  end if;
  with recursive before (job_id) as (
    select from_job_id::text from striatumd.job_edges where to_job_id = p_job.job_id
    union
    select e.from_job_id::text from striatumd.job_edges e join before b on b.job_id = e.to_job_id)
  select jsonb_agg(a.artifact_id order by a.published_at, a.artifact_id) into v_own
    from before
    join striatumd.jobs f on f.job_id = before.job_id
    join striatumd.artifacts a on a.job_id = f.job_id and a.attempt = f.attempt
   where a.session_id = p_session_id;
  if v_own is not null then
    perform striatumd.refuse('review_not_independent',
      'the session has published what it would judge',
      jsonb_build_object('session_id', p_session_id, 'artifact_ids', v_own),
      array['striatum release LEASE_ID --reason TEXT',
            'striatum session register RUN_ID ROLE LANE']);
  end if;
end
$$;
