-- What became of a review by its verdict, as replies show it: the job and its run, the checkpoint
-- that was opened, the jobs that wait for it.
create function striatumd.verdict_given(p_job_id text) returns jsonb
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return (
    select jsonb_build_object('job_id', j.job_id, 'workflow_job_id', j.workflow_job_id,
        'job_state', j.state, 'attempt', j.attempt, 'run_id', r.run_id, 'run_state', r.state,
        'verdict_id', v.verdict_id, 'verdict', v.verdict, 'posture', v.posture,
        'lane_attestation', v.lane_attestation_at_record,
        'blocker', (
          select jsonb_build_object('blocker_id', b.blocker_id, 'kind', b.kind,
                   'severity', b.severity, 'description', b.description)
            from striatumd.blockers b
           where b.job_id = j.job_id and b.state = 'open' order by b.opened_at desc limit 1),
        'cycle', (
          select jsonb_build_object('to_job_id', c.to_job_id, 'iterations', c.iterations,
                   'max_iterations', c.max_iterations)
            from striatumd.job_cycles c where c.from_job_id = j.job_id),
        'downstream', (
          select coalesce(jsonb_agg(jsonb_build_object('job_id', d.job_id,
                   'workflow_job_id', d.workflow_job_id, 'state', d.state, 'attempt', d.attempt)
                   order by d.ordinal), '[]')
            from striatumd.job_edges e join striatumd.jobs d on d.job_id = e.to_job_id
           where e.from_job_id = j.job_id))
      from striatumd.jobs j
      join striatumd.runs r using (run_id)
      left join lateral (
        select * from striatumd.verdicts
         where job_id = j.job_id order by verdict_number desc limit 1) v on true
     where j.job_id = p_job_id);
end
$$;
