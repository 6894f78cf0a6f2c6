-- What becomes of the work that a session held when it ended without finishing it: it is queued
-- again where nothing in the repository can have been changed, at the same attempt, or at the next
-- one where an artifact of this attempt is out already; else it waits for a person. The answer is
-- the events; none where nothing was held, or the session lives.
--
-- Keeps:  no verdict and no completion is made up
--         the budget is recovery_policy.max_requeues of the workflow, 2 where it says nothing
--         of a run that has ended, and of a job that did, the lease ends and nothing else moves
-- Locks:  the lease's row, the message's, the job's
-- Events: lease.expired, and job.queued where the attempt is a new one; job.blocked
create function striatumd.recover_session(p_call striatumd.call_context, p_session_id text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_lease    striatumd.leases;
  v_job      striatumd.jobs;
  v_is_over  boolean;
  v_kind     text;
  v_budget   integer;
  v_about    jsonb;
  v_end      jsonb := striatumd.owner_end(p_session_id);
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select l.* into v_lease from striatumd.leases l join striatumd.sessions s using (session_id)
   where l.session_id = p_session_id and l.state = 'active' and s.state <> 'active'
     for update of l;
  if not found then
    return '[]'::jsonb;
  end if;
  select * into strict v_job from striatumd.jobs where job_id = v_lease.job_id for update;

  -- read
  select greatest(0, least(1000, coalesce(
           jsonb_path_query_first(heading,
             '$.recovery_policy.max_requeues ? (@.type() == "number")'),
           jsonb_path_query_first(heading,
             '$.recovery_policy.max_total_requeues_per_job ? (@.type() == "number")'),
           '2')::numeric))::integer,
         r.finished_at is not null or v_job.state not in ('claimed', 'running')
    into strict v_budget, v_is_over
    from striatumd.workflow_snapshots join striatumd.runs r using (run_id)
   where run_id = v_lease.run_id;
  v_kind := case when v_job.is_repo_write then 'lease_owner_gone'
                 when v_job.requeues >= v_budget then 'recovery_exhausted' end;
  v_about := jsonb_build_object('job_id', v_job.job_id, 'lease_id', v_lease.lease_id,
    'message_id', v_lease.message_id);

  -- change
  if v_is_over then
    return jsonb_build_array(striatumd.run_event(p_call, 'lease.expired', 'owner_gone',
      striatumd.end_lease(p_call, v_lease.lease_id, 'expired', 'owner_gone', 'canceled',
        v_job.state), v_about));
  elsif v_kind is null then
    return striatumd.hand_back(p_call, v_lease, 'expired', 'owner_gone', 'lease.expired',
      'owner_gone');
  end if;
  return jsonb_build_array(striatumd.run_event(p_call, 'job.blocked', v_kind,
    striatumd.end_lease(p_call, v_lease.lease_id, 'expired', 'owner_gone', 'blocked',
      'stale_lease')
    || striatumd.open_blocker(p_call, v_job.job_id, 'blocked', v_kind,
      concat(case v_kind when 'lease_owner_gone'
        then 'the agent that held this job is gone, and may have changed the repository'
        else 'its agents ended more often than recovery_policy.max_requeues allows' end,
        format('; %s, what its terminal showed: tail %s', replace(v_end ->> 'ended', '_', ' '),
          v_end ->> 'terminal_log')),
      jsonb_build_object('schema_version', 'striatum.blocker_payload.v1', 'kind', v_kind,
        'session_id', p_session_id, 'lease_id', v_lease.lease_id,
        'requeues', v_job.requeues, 'max_requeues', v_budget) || v_end), v_about));
end
$$;
