-- checkpoint.resolve: settles what work waits for. `continue` gives it another try: the target of
-- the review's cycle, one iteration more than the workflow says and on record, where a review sent
-- it back; else the job itself. `override` accepts in the reviewer's place. `cancel` takes the job
-- out of the run, and all that waits for it. Of a blocker of the run as a whole, override waives
-- its gates, continue tries them again, and cancel ends the run.
--
-- Keeps:   what an operator settles is on record as theirs; their verdict claims no attestation
-- Errors:  blocker_not_open             it is settled, or its job waits no longer
--          blocker_not_a_checkpoint     an agent died at the work: recovery queues it again
--          checkpoint_not_overridable   no verdict stands in the way
--          artifact_uninspectable       what the job published is not there as it was; cancel is
--                                       open all the same
--          observation_stale            something else ended meanwhile: try again
-- Locks:   the run; the blocker, the jobs
-- Events:  blocker.resolved; then those of route_revision, reopen_job, resume_job, record_verdict,
--          cancel_gated, and of a run that ends by it, with stop_agents
create function striatumd.checkpoint_resolve(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_choice  text := p ->> 'choice';
  v_reason  text := p ->> 'reason';
  v_blocker striatumd.blockers;
  v_job     striatumd.jobs;
  v_judged  boolean;                     -- a verdict opened it
  v_events  jsonb;
  v_stopped jsonb;
  v_unseen  striatumd.decision;
  v_next    text[] := array[format('striatum checkpoint resolve %s cancel --reason TEXT',
                                   p ->> 'blocker_id')];
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_blocker from striatumd.blockers
   where blocker_id = p ->> 'blocker_id' for update;
  select * into v_job from striatumd.jobs where job_id = v_blocker.job_id for update;
  v_judged := v_blocker.kind in ('revision_routing', 'review_rejected') and v_job.is_verdict;

  -- refuse
  if v_blocker.state = 'open' and v_job.state = 'stale_lease' then
    perform striatumd.refuse('blocker_not_a_checkpoint',
      format('%s is no checkpoint: %s', v_blocker.kind, v_blocker.description),
      jsonb_build_object('blocker_id', v_blocker.blocker_id, 'kind', v_blocker.kind,
        'job_id', v_job.job_id, 'job_state', v_job.state),
      array(select jsonb_array_elements_text(striatumd.resolve_actions(v_blocker))));
  end if;
  if v_blocker.state <> 'open' or v_job.state not in ('blocked', 'waiting_human') then
    perform striatumd.refuse('blocker_not_open', 'nothing waits for that blocker any more',
      jsonb_build_object('blocker_id', v_blocker.blocker_id, 'state', v_blocker.state,
        'resolution', v_blocker.resolution, 'job_state', v_job.state),
      array[format('striatum why %s', coalesce(v_job.job_id, v_blocker.run_id))]);
  end if;
  if v_choice = 'override' and v_job.job_id is not null and not v_judged then
    perform striatumd.refuse('checkpoint_not_overridable',
      'no verdict stands in the way, so that none could be overridden',
      jsonb_build_object('blocker_id', v_blocker.blocker_id, 'kind', v_blocker.kind),
      array[format('striatum checkpoint resolve %s continue --reason TEXT',
        v_blocker.blocker_id)] || v_next);
  end if;
  if v_choice <> 'cancel' then
    v_unseen := striatumd.artifacts_unseen(p_call, v_job.job_id);
    if v_unseen is distinct from null then
      return v_unseen;
    end if;
    if v_job.state = 'waiting_human' then
      perform striatumd.refuse_uninspectable(p_call, v_job, format(
        'striatum checkpoint resolve %s %s --reason TEXT', v_blocker.blocker_id, v_choice)
        || v_next);
    end if;
  end if;

  -- change
  v_events := jsonb_build_array(striatumd.run_event(p_call, 'blocker.resolved', v_reason,
    jsonb_build_array(striatumd.resolve_blocker(p_call, v_blocker.blocker_id, v_choice)),
    jsonb_strip_nulls(jsonb_build_object('job_id', v_job.job_id)),
    jsonb_build_object('choice', v_choice)));
  if v_job.job_id is null and v_choice = 'cancel' then
    v_events := v_events || striatumd.end_run(p_call, 'canceled', 'canceled_by_operator', null,
      v_reason);
  elsif v_job.job_id is null then
    v_events := v_events || striatumd.maybe_complete_run(p_call);
  elsif v_choice = 'cancel' then
    v_events := v_events || striatumd.cancel_gated(p_call, v_job.job_id, v_reason)
      || striatumd.maybe_complete_run(p_call);
  elsif v_choice = 'override' then
    v_events := v_events || striatumd.record_verdict(p_call, v_job.job_id, null, (
        select artifact_id from striatumd.verdicts
         where job_id = v_job.job_id and attempt = v_job.attempt
         order by verdict_number desc limit 1), 'accept', v_reason, 'checkpoint_override');
  elsif not v_judged then
    v_events := v_events || striatumd.resume_job(p_call, v_job.job_id, v_reason);
  elsif exists (select from striatumd.job_cycles where from_job_id = v_job.job_id) then
    v_events := v_events || striatumd.route_revision(p_call, v_job, null, v_reason, true);
  else
    v_events := v_events || striatumd.reopen_job(p_call, v_job.job_id, v_reason);
  end if;
  v_stopped := striatumd.stop_agents(p_call, v_reason);

  -- reply
  return striatumd.decided(coalesce(striatumd.verdict_given(v_job.job_id), jsonb_build_object(
      'run_id', p_call.run_id, 'run_state', (
        select state from striatumd.runs where run_id = p_call.run_id)))
    || jsonb_build_object('blocker_id', v_blocker.blocker_id, 'choice', v_choice),
    v_events || (v_stopped -> 'events'), v_stopped -> 'effects');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  observers, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('checkpoint.resolve', 'Settle what work waits for', 'admin', 'single_repo', 'blocker', true,
  '{
  "type": "object", "additionalProperties": false,
  "required": ["repository_id", "blocker_id", "choice", "reason"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "blocker_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The blocker, as status shows it"},
    "choice":        {"enum": ["continue", "override", "cancel"], "type": "string", "description":
                      "Another try; accept in the reviewer''s place; take the work out"},
    "reason":        {"type": "string", "minLength": 1, "maxLength": 200,
                      "pattern": "^[^\\p{Cc}]+$", "description": "Why, for the record"}}}',
  '{artifact_copies}', '{agent_stopped}',
  '{blocker_not_open, blocker_not_a_checkpoint, checkpoint_not_overridable,
    artifact_uninspectable, observation_stale}',
  '{checkpoint,resolve}', '{blocker_id, choice}',
  '{choice, workflow_job_id, job_state, attempt, run_state, downstream}',
  '{"striatum checkpoint resolve blk_0123456789abcdef continue --reason \"one more round\""}');
