-- recovery.requeue_stale: queues a job again whose agent is gone. A job that may have changed the
-- repository is taken only by force and with a reason: somebody has looked at what is there.
--
-- Keeps:   only what recovery left for a person is taken, so that the owner's session has ended
--          the attempt stays, unless the lease that is gone had published
--          its agents may die as often again as the workflow allows
--          what can be claimed already stays as it is, and is answered
-- Errors:  job_not_stale        nobody's lease of it is stale
--          requeue_needs_force  it is a repo-write job, and force or the reason is missing
-- Locks:   run; the job's rows
-- Events:  job.requeued; job.queued, where the attempt is a new one
create function striatumd.recovery_requeue_stale(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_reason  text := coalesce(p ->> 'reason', 'recovery.requeue_stale');
  v_force   boolean := coalesce((p ->> 'force')::boolean, false);
  v_before  striatumd.jobs;
  v_job     striatumd.jobs;
  v_message striatumd.queue_messages;
  v_is_next boolean;
  v_blocker text;
  v_changes jsonb := '[]'::jsonb;
  v_events  jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_before from striatumd.jobs where job_id = p ->> 'job_id' for update;

  -- refuse
  if v_before.state = 'queued' then
    return striatumd.decided(jsonb_build_object('job_id', v_before.job_id,
      'workflow_job_id', v_before.workflow_job_id, 'state', v_before.state,
      'attempt', v_before.attempt, 'note', 'it can be claimed already'), '[]', '[]');
  end if;
  if v_before.state <> 'stale_lease' then
    perform striatumd.refuse('job_not_stale',
      format('the job is %s, and no lease of it is stale', v_before.state),
      jsonb_build_object('job_id', v_before.job_id, 'state', v_before.state),
      array[format('striatum why %s', v_before.job_id),
            format('striatum recovery sweep %s', v_before.run_id)]);
  end if;
  if v_before.is_repo_write and (not v_force or p ->> 'reason' is null) then
    perform striatumd.refuse('requeue_needs_force',
      'the agent that is gone may have changed the repository: look first, then use force',
      jsonb_build_object('job_id', v_before.job_id),
      array['git status',
        format('striatum recovery requeue-stale %s --force --reason TEXT', v_before.job_id)]);
  end if;

  -- change
  v_is_next := exists (select from striatumd.leases where job_id = v_before.job_id
                          and attempt = v_before.attempt and has_published);
  for v_blocker in select blocker_id from striatumd.blockers
                    where job_id = v_before.job_id and state = 'open' order by blocker_id loop
    v_changes := v_changes || striatumd.resolve_blocker(p_call, v_blocker, 'requeued');
  end loop;
  update striatumd.queue_messages
     set state = (case when v_is_next then 'canceled' else 'pending' end)::striatumd.message_state
   where job_id = v_before.job_id and state = 'blocked' returning * into strict v_message;
  v_changes := v_changes || striatumd.moved('message', v_message.message_id,
    '{"state": "blocked"}', jsonb_build_object('state', v_message.state));
  if v_is_next then
    update striatumd.job_attempts set ended_at = p_call.at, outcome = 'requeued'
     where job_id = v_before.job_id and attempt = v_before.attempt and ended_at is null;
  end if;
  update striatumd.jobs
     set state = (case when v_is_next then 'pending' else 'queued' end)::striatumd.job_state,
         requeues = 0, attempt = attempt + v_is_next::integer
   where job_id = v_before.job_id returning * into v_job;
  v_events := jsonb_build_array(striatumd.run_event(p_call, 'job.requeued', v_reason,
    v_changes || striatumd.moved('job', v_job.job_id, striatumd.job_folded(v_before),
      striatumd.job_folded(v_job)),
    jsonb_build_object('job_id', v_job.job_id, 'message_id', v_message.message_id),
    jsonb_build_object('force', v_force)));
  if v_is_next then
    v_events := v_events || striatumd.queue_job(p_call, v_job.job_id, v_reason);
  end if;

  -- reply
  return striatumd.decided(jsonb_build_object('job_id', v_job.job_id,
    'workflow_job_id', v_job.workflow_job_id, 'state', 'queued', 'attempt', v_job.attempt),
    v_events, '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('recovery.requeue_stale', 'Queue a job again whose agent is gone', 'recovery',
  'single_repo', 'job', true, '{
  "type": "object", "additionalProperties": false, "required": ["repository_id", "job_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
      "description": "The repository; that of the working directory"},
    "job_id": {"type": "string", "minLength": 1, "maxLength": 128, "description": "Which job"},
    "force": {"type": "boolean",
      "description": "Also a job that may have changed the repository"},
    "reason": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\p{Cc}]+$",
      "description": "Why, for the record"}}}',
  '{job_not_stale, requeue_needs_force}', '{recovery,requeue-stale}', '{job_id}',
  '{job_id, workflow_job_id, state, attempt, note}',
  '{"striatum recovery requeue-stale job_0123456789abcdef --force --reason ''nothing written''"}');
