-- work.ack: a session takes the packet that it was given; from here on the job runs.
--
-- Keeps:   a packet that was taken before is answered likewise, and nothing changes
-- Errors:  session_inactive, lease_not_held   as held_lease says
--          invalid_transition                 the job is neither claimed nor running
-- Locks:   the lease, the message, the job
-- Events:  job.acked
create function striatumd.work_ack(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_lease   striatumd.leases;
  v_message striatumd.queue_messages;
  v_job     striatumd.jobs;
  v_after   striatumd.jobs;
  v_events  jsonb := '[]'::jsonb;
begin
  perform striatumd.assert_daemon_authority();
  p_call.session_id := coalesce(p ->> 'session_id', p_call.session_id);

  -- lock
  v_lease := striatumd.held_lease(p_call, p_call.session_id, p ->> 'lease_id');
  select * into strict v_message from striatumd.queue_messages
   where message_id = v_lease.message_id for update;
  select * into strict v_job from striatumd.jobs where job_id = v_lease.job_id for update;

  -- refuse
  if v_job.state not in ('claimed', 'running') then
    perform striatumd.refuse('invalid_transition', format('the job is %s', v_job.state),
      jsonb_build_object('job_id', v_job.job_id, 'state', v_job.state),
      array[format('striatum why %s', v_job.job_id)]);
  end if;

  -- change
  v_after := v_job;
  if v_job.state = 'claimed' then
    update striatumd.queue_messages set state = 'acked'
     where message_id = v_message.message_id and state = 'claimed';
    update striatumd.jobs set state = 'running'
     where job_id = v_job.job_id and state = 'claimed' and attempt = v_lease.attempt
    returning * into strict v_after;
    v_events := jsonb_build_array(striatumd.run_event(p_call, 'job.acked', null, jsonb_build_array(
      striatumd.moved('message', v_message.message_id,
        jsonb_build_object('state', v_message.state), '{"state": "acked"}'),
      striatumd.moved('job', v_job.job_id, striatumd.job_folded(v_job),
        striatumd.job_folded(v_after))),
      jsonb_build_object('job_id', v_job.job_id, 'message_id', v_message.message_id,
        'lease_id', v_lease.lease_id)));
  end if;

  -- reply
  return striatumd.decided(jsonb_build_object('lease_id', v_lease.lease_id,
    'job_id', v_job.job_id, 'workflow_job_id', v_job.workflow_job_id, 'attempt', v_job.attempt,
    'job_state', v_after.state, 'was_acked', v_job.state = 'running',
    'expires_at', striatumd.utc_micros(v_lease.expires_at)), v_events, '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('work.ack', 'Take the packet, and begin', 'claim', 'single_repo', 'session', true, true, '{
  "type": "object", "additionalProperties": false, "required": ["lease_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; a session''s own where left out"},
    "session_id":    {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The session; the token''s own where left out"},
    "lease_id":      {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The lease, as the packet names it"}}}',
  '{session_inactive, lease_not_held, invalid_transition}', '{ack}', '{lease_id}',
  '{lease_id, workflow_job_id, attempt, job_state, expires_at}',
  '{"striatum ack lease_0123456789abcdef"}');
