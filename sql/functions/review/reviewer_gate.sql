-- What stands before every verdict of a session: its lease is locked, and its job; it judges
-- nothing that it published; its agent is the one that the workflow names; and whatever its verdict
-- rests on was looked at. Null where it may judge, else the decision to answer.
--
-- Errors: those of held_lease, refuse_dependent_review, require_attested_lane, lane_gate and
--         artifacts_unseen
-- Locks:  the lease, the job
create function striatumd.reviewer_gate(p_call striatumd.call_context, p_lease_id text)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_lease striatumd.leases := striatumd.held_lease(p_call, p_call.session_id, p_lease_id);
  v_job   striatumd.jobs;
  v_gate  striatumd.decision;
begin
  perform striatumd.assert_daemon_authority();
  select * into strict v_job from striatumd.jobs where job_id = v_lease.job_id for update;
  perform striatumd.refuse_dependent_review(v_job, p_call.session_id);
  perform striatumd.require_attested_lane(p_call, v_job, p_call.session_id);
  v_gate := striatumd.lane_gate(p_call, p_call.session_id);
  if v_gate is distinct from null then
    return v_gate;
  end if;
  return striatumd.artifacts_unseen(p_call, v_job.job_id);
end
$$;
