-- Records a verdict on a review job's attempt, and does what follows from it. An accepting one
-- completes the job and opens what waited for it; needs_revision goes through the workflow's cycle
-- while it has iterations left; what has nowhere to go waits for an operator. The answer is the
-- events, those of a run that ends by it included.
--
-- Keeps:  a verdict says for ever under which attestation, posture and declared model it was given;
--         of one that an operator gives (no lease) model and attestation are unknown
-- Locks:  the cycle, the jobs
-- Events: verdict.recorded; then job.completed and job.queued, or revision.cycle_routed,
--         job.reopened and job.queued, or job.blocked; and those of maybe_complete_run
create function striatumd.record_verdict(p_call striatumd.call_context, p_job_id text,
    p_lease_id text, p_artifact_id text, p_verdict striatumd.verdict, p_rationale text,
    p_basis text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_job     striatumd.jobs;
  v_verdict striatumd.verdicts;
  v_session striatumd.sessions;
  v_about   jsonb;
  v_events  jsonb;
  v_cycle   striatumd.job_cycles;
  v_policy  text;
  v_lane    jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select * into strict v_job from striatumd.jobs where job_id = p_job_id for update;
  select heading #>> '{review_revision_policy,root_review_needs_revision}', heading -> 'lanes'
    into v_policy, v_lane from striatumd.workflow_snapshots where run_id = v_job.run_id;
  if p_lease_id is not null then
    select s.* into strict v_session
      from striatumd.leases l join striatumd.sessions s using (session_id)
     where l.lease_id = p_lease_id and l.job_id = p_job_id and l.attempt = v_job.attempt
       and l.state = 'active';
    v_lane := v_lane -> v_session.lane_id;
  end if;

  -- the verdict
  insert into striatumd.verdicts (verdict_id, repository_id, run_id, job_id, attempt, session_id,
    lease_id, artifact_id, verdict, rationale, posture, basis, lane_attestation_at_record,
    model_identity_declared, recorded_by, recorded_at)
  values (striatumd.new_id('verd'), v_job.repository_id, v_job.run_id, p_job_id, v_job.attempt,
    v_session.session_id, p_lease_id, p_artifact_id, p_verdict, p_rationale,
    coalesce(v_job.spec ->> 'review_posture', 'neutral'), p_basis,
    case when p_lease_id is not null then
      case when striatumd.is_attested(p_call, v_session.session_id) then 'attested'
        else 'unattested' end::striatumd.lane_attestation end,
    case when p_lease_id is not null then
      coalesce(v_lane ->> 'model', v_lane ->> 'display_model') end,
    p_call.client_id, p_call.at)
  returning * into v_verdict;
  v_about := jsonb_build_object('job_id', p_job_id, 'lease_id', p_lease_id);
  v_events := jsonb_build_array(striatumd.run_event(p_call, 'verdict.recorded', p_basis,
    jsonb_build_array(striatumd.change('verdict', v_verdict.verdict_id, null,
      striatumd.verdict_folded(v_verdict))),
    v_about || jsonb_build_object('artifact_id', p_artifact_id)));

  -- accepted
  if p_verdict in ('accept', 'accept_with_findings') then
    return v_events
      || jsonb_build_array(striatumd.run_event(p_call, 'job.completed', p_verdict::text,
        striatumd.settle_job(p_call, p_job_id, p_lease_id, 'verdict_recorded', 'done', 'completed'),
        v_about))
      || striatumd.queue_ready(p_call, p_job_id, 'accepted')
      || striatumd.maybe_complete_run(p_call);
  end if;

  -- to be revised
  select * into v_cycle from striatumd.job_cycles where from_job_id = p_job_id;
  if p_verdict = 'needs_revision' and v_cycle.iterations < v_cycle.max_iterations
     and (v_policy is distinct from 'human_checkpoint' or exists (
       select from striatumd.job_edges where to_job_id = p_job_id)) then
    return v_events
      || striatumd.route_revision(p_call, v_job, p_lease_id, p_verdict::text, false);
  end if;

  -- an operator's to settle
  return v_events || striatumd.run_event(p_call, 'job.blocked', p_verdict::text,
      striatumd.settle_job(p_call, p_job_id, p_lease_id, 'verdict_recorded', 'blocked',
        'waiting_human')
      || striatumd.open_blocker(p_call, p_job_id, 'human_checkpoint',
        case p_verdict when 'reject' then 'review_rejected' else 'revision_routing' end,
        case when p_verdict = 'reject' then 'the review rejects the work'
          when v_cycle.iterations >= v_cycle.max_iterations then
            'the review wants a revision, and every iteration that the workflow allows is used'
          else 'the review wants a revision, and the workflow leaves it to an operator' end,
        jsonb_build_object('schema_version', 'striatum.blocker_payload.v1',
          'workflow_job_id', v_job.workflow_job_id, 'attempt', v_job.attempt,
          'verdict', p_verdict, 'verdict_id', v_verdict.verdict_id,
          'cycle_to_job_id', v_cycle.to_job_id, 'iterations', v_cycle.iterations,
          'max_iterations', v_cycle.max_iterations)),
      v_about);
end
$$;
