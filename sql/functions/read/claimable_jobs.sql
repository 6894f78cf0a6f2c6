-- The work that waits for a session, in the order of the queue: with the role and lane that it is
-- for, and how many active sessions of those there are.
create function striatumd.claimable_jobs(p_repository_id text, p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('run_id', m.run_id, 'job_id', m.job_id,
           'job', j.workflow_job_id, 'attempt', m.attempt, 'role_id', m.role_id,
           'lane_id', m.lane_id, 'is_fresh', m.is_fresh, 'active_sessions', (
             select count(*) from striatumd.sessions s
              where s.run_id = m.run_id and s.state = 'active' and s.role_id = m.role_id
                and (m.lane_id is null or s.lane_id = m.lane_id)),
           'queued_at', striatumd.utc_micros(m.queued_at)) order by m.message_number), '[]')
    from striatumd.runs_in_view(p_repository_id, p_run_id) r
    join striatumd.queue_messages m on m.run_id = r.run_id and m.state = 'pending'
    join striatumd.jobs j on j.job_id = m.job_id
   where r.state = 'running'
$$;
