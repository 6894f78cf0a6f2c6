-- Sets a job that a verdict or an operator decided to what it is from now on, with whatever hangs
-- on it: the lease under which it was judged ends, the message that waits for it follows, its
-- attempt has an outcome where the job has. The answer is the changes, for the event that says why.
--
-- Locks:  the lease, the message, the job
create function striatumd.settle_job(p_call striatumd.call_context, p_job_id text, p_lease_id text,
    p_reason text, p_message_state striatumd.message_state, p_job_state striatumd.job_state)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_changes jsonb := '[]'::jsonb;
  v_message striatumd.queue_messages;
  v_before  striatumd.jobs;
  v_job     striatumd.jobs;
begin
  perform striatumd.assert_daemon_authority();
  if p_lease_id is not null then
    v_changes := striatumd.end_lease(p_call, p_lease_id, 'released', p_reason, p_message_state,
      p_job_state);
  else
    for v_message in select * from striatumd.queue_messages
                      where job_id = p_job_id
                        and state in ('pending', 'claimed', 'acked', 'blocked') for update loop
      update striatumd.queue_messages set state = p_message_state
       where message_id = v_message.message_id;
      v_changes := v_changes || striatumd.moved('message', v_message.message_id,
        jsonb_build_object('state', v_message.state), jsonb_build_object('state', p_message_state));
    end loop;
    select * into strict v_before from striatumd.jobs where job_id = p_job_id for update;
    update striatumd.jobs set state = p_job_state where job_id = p_job_id returning * into v_job;
    v_changes := v_changes || striatumd.moved('job', p_job_id, striatumd.job_folded(v_before),
      striatumd.job_folded(v_job));
  end if;
  if p_job_state in ('completed', 'canceled') then
    update striatumd.job_attempts a set ended_at = p_call.at, outcome = p_job_state::text
      from striatumd.jobs j
     where j.job_id = p_job_id and a.job_id = j.job_id and a.attempt = j.attempt
       and a.ended_at is null;
  end if;
  return v_changes;
end
$$;
