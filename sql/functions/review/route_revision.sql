-- Goes once more through the cycle of a review: one iteration is used, and its target is opened for
-- another attempt, with all that comes after it, the review too. The answer is the events.
--
-- Keeps:  the bound is what the workflow says, and what an operator added on record (`p_is_extra`)
-- Locks:  the cycle; the jobs
-- Events: revision.cycle_routed; job.reopened, job.queued
create function striatumd.route_revision(p_call striatumd.call_context, p_job striatumd.jobs,
    p_lease_id text, p_reason text, p_is_extra boolean)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before striatumd.job_cycles;
  v_cycle  striatumd.job_cycles;
  v_to     striatumd.jobs;
begin
  perform striatumd.assert_daemon_authority();
  select * into strict v_before from striatumd.job_cycles
   where from_job_id = p_job.job_id for update;
  update striatumd.job_cycles
     set iterations = iterations + 1, max_iterations = max_iterations + p_is_extra::integer
   where from_job_id = p_job.job_id returning * into v_cycle;
  select * into strict v_to from striatumd.jobs where job_id = v_cycle.to_job_id;
  return jsonb_build_array(striatumd.run_event(p_call, 'revision.cycle_routed', p_reason,
      jsonb_build_array(striatumd.moved('cycle', p_job.job_id, striatumd.cycle_folded(v_before),
        striatumd.cycle_folded(v_cycle)))
      || striatumd.settle_job(p_call, p_job.job_id, p_lease_id, 'verdict_recorded', 'done',
        'completed'),
      jsonb_build_object('job_id', p_job.job_id, 'lease_id', p_lease_id),
      jsonb_build_object('from_workflow_job_id', p_job.workflow_job_id,
        'to_workflow_job_id', v_to.workflow_job_id, 'target_job_id', v_to.job_id,
        'iteration', v_cycle.iterations, 'max_iterations', v_cycle.max_iterations,
        'is_extra', p_is_extra)))
    || striatumd.reopen_job(p_call, v_cycle.to_job_id, p_reason);
end
$$;
