-- Opens a job for another attempt, and sets back whatever came after it: each job downstream that
-- was begun is pending again, at its next attempt. Leases in between end, messages are canceled,
-- blockers resolved. The one way back: revision, retry and checkpoints take it.
--
-- Keeps:  artifacts and verdicts of attempts before stay
-- Locks:  the jobs, in the order of their ids
-- Events: job.reopened, one; job.queued of the job itself, where nothing is missing before it
create function striatumd.reopen_job(p_call striatumd.call_context, p_job_id text, p_reason text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_changes jsonb := '[]'::jsonb;
  v_job     striatumd.jobs;
  v_before  jsonb;
  v_message striatumd.queue_messages;
  v_id      text;
begin
  perform striatumd.assert_daemon_authority();
  for v_job in
    with recursive after (job_id) as (
      select p_job_id::text
      union
      select e.to_job_id::text from striatumd.job_edges e join after a on a.job_id = e.from_job_id)
    select j.* from striatumd.jobs j join after using (job_id)
     where j.job_id = p_job_id or j.state <> 'pending'
     order by j.job_id for update of j
  loop
    v_before := striatumd.job_folded(v_job);
    for v_id in select lease_id from striatumd.leases
                 where job_id = v_job.job_id and state = 'active' loop
      v_changes := v_changes || striatumd.end_lease(p_call, v_id, 'released', 'revision_reopened',
        'canceled', v_job.state);
    end loop;
    for v_message in select * from striatumd.queue_messages
                      where job_id = v_job.job_id
                        and state in ('pending', 'claimed', 'acked', 'blocked') for update loop
      update striatumd.queue_messages set state = 'canceled'
       where message_id = v_message.message_id;
      v_changes := v_changes || striatumd.moved('message', v_message.message_id,
        jsonb_build_object('state', v_message.state), '{"state": "canceled"}');
    end loop;
    for v_id in select blocker_id from striatumd.blockers
                 where job_id = v_job.job_id and state = 'open' order by blocker_id loop
      v_changes := v_changes || striatumd.resolve_blocker(p_call, v_id, 'revision_reopened');
    end loop;
    update striatumd.job_attempts set ended_at = p_call.at, outcome = 'reopened'
     where job_id = v_job.job_id and attempt = v_job.attempt and ended_at is null;
    update striatumd.jobs set state = 'pending', attempt = attempt + 1, requeues = 0
     where job_id = v_job.job_id returning * into v_job;
    v_changes := v_changes || striatumd.moved('job', v_job.job_id, v_before,
      striatumd.job_folded(v_job));
  end loop;
  return jsonb_build_array(striatumd.run_event(p_call, 'job.reopened', p_reason, v_changes,
      jsonb_build_object('job_id', p_job_id)))
    || case when exists (
         select from striatumd.job_edges e join striatumd.jobs f on f.job_id = e.from_job_id
          where e.to_job_id = p_job_id and f.state <> 'completed') then '[]'::jsonb
       else jsonb_build_array(striatumd.queue_job(p_call, p_job_id, p_reason)) end;
end
$$;
