-- The review gates of a run, in the order of its workflow: `[{workflow_job_id, job_id, verdict_id,
-- cleared_by, problem}]`. The newest verdict of a job's attempt counts, and has to accept; of a
-- gate that wants provenance (its review has to be fresh, or its lane attested) an attested lane
-- has to have given it, or an operator's override. What has no problem is cleared. A job that was
-- canceled or skipped is no gate.
--
-- Keeps:  a workflow that calls the posture of its review `override` has overridden nothing
create function striatumd.review_gates(p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('workflow_job_id', workflow_job_id,
           'job_id', job_id, 'verdict_id', verdict_id,
           'cleared_by', case when not is_accepting and not is_waived then null
             when is_overridden then 'override'
             when not wants_provenance or is_attested then 'verdict' end,
           'problem', case when is_waived then null
             when verdict_id is null then 'verdict_missing'
             when not is_accepting then 'verdict_not_accepting'
             when wants_provenance and not is_attested and not is_overridden
               then 'lane_unattested' end)
           order by ordinal), '[]')
    from (
      select j.ordinal, j.workflow_job_id, j.job_id, v.verdict_id,
             j.is_fresh or coalesce(j.spec -> 'require_attested_lane' = 'true', false)
               as wants_provenance,
             coalesce(v.verdict in ('accept', 'accept_with_findings'), false) as is_accepting,
             coalesce(v.lane_attestation_at_record = 'attested', false) as is_attested,
             coalesce(v.basis in ('checkpoint_override', 'review_provenance_override')
                      or v.posture = 'override' and v.basis <> 'review', false)
               or w.is_waived as is_overridden,
             w.is_waived
        from striatumd.jobs j
       cross join (
         select exists (
           select from striatumd.blockers
            where run_id = p_run_id and job_id is null and kind = 'provenance_gate_failed'
              and state = 'resolved' and resolution = 'override') as is_waived) w
        left join lateral (
          select * from striatumd.verdicts v
           where v.job_id = j.job_id and v.attempt = j.attempt
           order by v.verdict_number desc limit 1) v on true
       where j.run_id = p_run_id and j.is_verdict and j.state not in ('canceled', 'skipped')
    ) as gates
$$;
