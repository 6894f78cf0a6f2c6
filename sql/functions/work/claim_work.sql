-- The one claim: gives a session the oldest work that is for it, with a lease and a packet. Where
-- there is none, what to say, as what settles nothing; where the session has ended or the lane does
-- not live, what settles that.
--
-- Keeps:  a session that holds work already is given the same packet again
--         no more jobs of a run are active than its workflow allows, and none beside one that it
--         would disturb; who waits for that is to ask again
--         what an attempt may write, and what was changed there before, is taken down at its first
--         claim and stays
-- Errors: those of lane_gate
-- Locks:  message (skip locked), job
-- Events: job.claimed; those of lane_gate
create function striatumd.claim_work(p_call striatumd.call_context, p_session_id text,
    p_lease_seconds integer)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_seen     jsonb := p_call.observed -> 'scope_baseline';
  v_session  striatumd.sessions;
  v_state    striatumd.run_state;
  v_decision striatumd.decision;
  v_packet   striatumd.work_packets;
  v_message  striatumd.queue_messages;
  v_claimed  striatumd.queue_messages;
  v_before   striatumd.jobs;
  v_job      striatumd.jobs;
  v_lease    striatumd.leases;
  v_held     jsonb;
begin
  perform striatumd.assert_daemon_authority();
  p_call.session_id := p_session_id;

  -- read
  select * into strict v_session from striatumd.sessions where session_id = p_session_id;
  select state into strict v_state from striatumd.runs where run_id = p_call.run_id;
  select p.* into v_packet from striatumd.work_packets p join striatumd.leases l using (lease_id)
   where l.session_id = p_session_id and l.state = 'active';

  -- refuse
  if v_session.state <> 'active' then
    return striatumd.decided(striatumd.no_work(v_session, 'session_' || v_session.state,
      jsonb_build_object('next', array[format('striatum session register %s %s %s',
        v_session.run_id, v_session.role_id, v_session.lane_id)])), '[]', '[]');
  end if;
  perform striatumd.touch_session(p_call, p_session_id);
  if v_state <> 'running' then
    return striatumd.unsettled('wait', striatumd.no_work(v_session, 'run_' || v_state,
      jsonb_build_object('ineligible_reason', 'run_' || v_state,
        'next', array[format('striatum why %s', v_session.run_id)])), null);
  end if;
  v_decision := striatumd.lane_gate(p_call, p_session_id);
  if v_decision is distinct from null then
    return v_decision;
  end if;
  if v_packet.packet_id is not null then
    return striatumd.decided(striatumd.packet_shown(v_packet, 'held'), '[]', '[]');
  end if;

  -- lock
  select * into v_message from striatumd.queue_messages
   where message_id = striatumd.claimable(p_session_id) and state = 'pending'
     for update skip locked;
  if not found then
    select j.* into v_job from striatumd.queue_messages m join striatumd.jobs j using (job_id)
     where m.message_id = striatumd.claimable(p_session_id, true);
    v_held := striatumd.held_back(v_job, v_session.lane_id,
      striatumd.parallelism(v_session.run_id));
    return striatumd.unsettled('wait', case
      when v_job.job_id is null then striatumd.no_work(v_session, 'queue_empty')
      when v_held is not null then striatumd.no_work(v_session, v_held ->> 'reason', v_held
        || jsonb_build_object('ineligible_reason', v_held -> 'reason',
          'workflow_job_id', v_job.workflow_job_id, 'next', array['striatum await-packet',
          format('striatum why %s', v_job.job_id)])) - 'idle_behavior'
      else striatumd.no_work(v_session, 'fresh_session_required', jsonb_build_object(
        'ineligible_reason', 'fresh_session_required',
        'workflow_job_id', v_job.workflow_job_id, 'next',
        array[format('striatum session register %s %s %s', v_session.run_id, v_session.role_id,
          v_session.lane_id)])) end, null);
  end if;
  select * into strict v_before from striatumd.jobs where job_id = v_message.job_id for update;
  if (v_seen ->> 'job_id', v_seen ->> 'attempt')
       is distinct from (v_before.job_id::text, v_before.attempt::text)
     and not exists (select from striatumd.job_attempts
                      where job_id = v_before.job_id and attempt = v_before.attempt) then
    return striatumd.unsettled('look', null, striatumd.refusal('observation_stale',
      'another job came first while the scope of one was looked at',
      jsonb_build_object('job_id', v_before.job_id), array['striatum claim-next']));
  end if;

  -- change
  update striatumd.queue_messages set state = 'claimed', claim_count = claim_count + 1
   where message_id = v_message.message_id and state = 'pending' returning * into strict v_claimed;
  update striatumd.jobs set state = 'claimed'
   where job_id = v_message.job_id and state = 'queued' and attempt = v_message.attempt
  returning * into strict v_job;
  insert into striatumd.leases (lease_id, repository_id, run_id, session_id, message_id, job_id,
    attempt, state, lease_seconds, acquired_at, expires_at)
  values (striatumd.new_id('lease'), v_job.repository_id, v_job.run_id, p_session_id,
    v_message.message_id, v_job.job_id, v_job.attempt, 'active', p_lease_seconds, p_call.at,
    p_call.at + make_interval(secs => p_lease_seconds)) returning * into v_lease;
  insert into striatumd.job_attempts (job_id, attempt, write_scope, baseline, begun_at)
  values (v_job.job_id, v_job.attempt, coalesce(v_job.spec -> 'write_scope', '{}'),
    coalesce(v_seen - 'job_id' - 'attempt', '{}'), p_call.at) on conflict do nothing;
  v_packet := striatumd.issue_packet(p_call, v_lease);

  -- reply
  return striatumd.decided(striatumd.packet_shown(v_packet, 'claimed'),
    jsonb_build_array(striatumd.run_event(p_call, 'job.claimed', null, jsonb_build_array(
      striatumd.moved('message', v_message.message_id, striatumd.message_folded(v_message),
        striatumd.message_folded(v_claimed)),
      striatumd.moved('job', v_job.job_id, striatumd.job_folded(v_before),
        striatumd.job_folded(v_job)),
      striatumd.change('lease', v_lease.lease_id, null, striatumd.lease_folded(v_lease))),
      jsonb_build_object('job_id', v_job.job_id, 'message_id', v_message.message_id,
        'lease_id', v_lease.lease_id), jsonb_build_object('packet_id', v_packet.packet_id,
        'packet_sha256', v_packet.packet_sha256))), '[]');
end
$$;
