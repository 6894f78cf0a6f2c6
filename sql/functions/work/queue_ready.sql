-- Queues every job of a run that waits for nothing any more: pending, and each job that leads to it
-- is completed. After a job ended only its out-edges are looked at; without one, the whole run. The
-- answer is the events, in the order of the workflow.
create function striatumd.queue_ready(p_call striatumd.call_context, p_after_job_id text,
    p_reason text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_events jsonb := '[]'::jsonb;
  v_after  text[];
  v_job_id text;
begin
  perform striatumd.assert_daemon_authority();
  if p_after_job_id is null then
    v_after := array(select job_id from striatumd.jobs
                      where run_id = p_call.run_id and state = 'pending');
  else
    v_after := array(select to_job_id from striatumd.job_edges where from_job_id = p_after_job_id);
  end if;
  for v_job_id in
    select j.job_id from striatumd.jobs j
     where j.job_id = any (v_after) and j.run_id = p_call.run_id and j.state = 'pending'
       and not exists (
         select from striatumd.job_edges e join striatumd.jobs f on f.job_id = e.from_job_id
          where e.to_job_id = j.job_id and f.state <> 'completed')
     order by j.ordinal
  loop
    v_events := v_events || striatumd.queue_job(p_call, v_job_id, p_reason);
  end loop;
  return v_events;
end
$$;
