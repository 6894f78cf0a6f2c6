-- Why a job is done once more: the last verdict of its own, or of a review that sends back to it,
-- and what was found; null at the first attempt, or where no verdict was.
create function striatumd.packet_revision(p_job_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('reopened_attempt', j.attempt, 'prior_verdict', v.verdict,
           'prior_verdict_id', v.verdict_id, 'prior_rationale', v.rationale,
           'prior_workflow_job_id', r.workflow_job_id, 'prior_finding_attempt', v.attempt,
           'prior_finding_artifact_id', a.artifact_id,
           'prior_finding_logical_name', a.logical_name, 'prior_finding_path', a.repo_path,
           'prior_finding_content_sha256', a.content_sha256, 'guidance', case when j.is_verdict
             then 'Review the new attempt as a whole, and say which findings were answered.'
             else 'Answer each finding; leave what was not questioned as it was.' end)
    from striatumd.jobs j
   cross join lateral (
     select j.job_id union
     select c.from_job_id from striatumd.job_cycles c where c.to_job_id = j.job_id) s
    join striatumd.verdicts v on v.job_id = s.job_id
    join striatumd.jobs r on r.job_id = v.job_id
    left join striatumd.artifacts a on a.artifact_id = v.artifact_id
   where j.job_id = p_job_id and j.attempt > 1
   order by v.verdict_number desc limit 1
$$;
