-- Why a job may not be completed by its session now; null where it may: it runs, it ends without a
-- verdict, and whatever leads to it is completed, a review of them by an accepting verdict.
create function striatumd.completion_problem(p_job striatumd.jobs) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before text;
begin
  perform striatumd.assert_daemon_authority();
  if p_job.is_verdict then
    return 'the job ends by a verdict';
  end if;
  if p_job.state <> 'running' then
    return format('the job is %s, and only a running one is completed', p_job.state);
  end if;
  select f.workflow_job_id into v_before
    from striatumd.job_edges e join striatumd.jobs f on f.job_id = e.from_job_id
   where e.to_job_id = p_job.job_id and (f.state <> 'completed' or f.is_verdict and coalesce((
           select v.verdict from striatumd.verdicts v
            where v.job_id = f.job_id and v.attempt = f.attempt
            order by v.verdict_number desc limit 1) not in ('accept', 'accept_with_findings'),
           true))
   order by f.ordinal limit 1;
  if v_before is null then
    return null;
  end if;
  return format('%s leads to it, and is not completed or not accepted', v_before);
end
$$;
