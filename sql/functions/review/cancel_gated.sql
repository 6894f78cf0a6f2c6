-- Takes a job out of its run, and with it all work that could only have begun behind it. The answer
-- is the event.
--
-- Keeps:  whatever has ended keeps its end
-- Locks:  the jobs, in the order of their ids; their leases, messages, blockers
-- Events: job.canceled, one
create function striatumd.cancel_gated(p_call striatumd.call_context, p_job_id text, p_reason text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_changes jsonb := '[]'::jsonb;
  v_job     striatumd.jobs;
  v_id      text;
begin
  perform striatumd.assert_daemon_authority();
  for v_job in
    with recursive after (job_id) as (
      select p_job_id::text
      union
      select e.to_job_id::text from striatumd.job_edges e join after a on a.job_id = e.from_job_id)
    select j.* from striatumd.jobs j join after using (job_id)
     where j.state not in ('completed', 'failed', 'canceled', 'skipped')
     order by j.job_id for update of j
  loop
    for v_id in select blocker_id from striatumd.blockers
                 where job_id = v_job.job_id and state = 'open' order by blocker_id loop
      v_changes := v_changes || striatumd.resolve_blocker(p_call, v_id, 'job_canceled');
    end loop;
    select lease_id into v_id from striatumd.leases
     where job_id = v_job.job_id and state = 'active';
    v_changes := v_changes || striatumd.settle_job(p_call, v_job.job_id, v_id, 'job_canceled',
      'canceled', 'canceled');
  end loop;
  return jsonb_build_array(striatumd.run_event(p_call, 'job.canceled', p_reason, v_changes,
    jsonb_build_object('job_id', p_job_id)));
end
$$;
