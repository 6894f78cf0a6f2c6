-- The open blockers of the runs in view, the oldest first, each with its job and with the commands
-- that resolve it.
create function striatumd.open_blockers(p_repository_id text, p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('blocker_id', b.blocker_id, 'run_id', b.run_id,
           'job_id', b.job_id, 'job', j.workflow_job_id, 'job_state', j.state,
           'session_id', b.session_id, 'severity', b.severity, 'kind', b.kind, 'state', b.state,
           'description', b.description, 'opened_at', striatumd.utc_micros(b.opened_at),
           'payload', b.payload_json::jsonb,
           'resolve_actions', striatumd.resolve_actions(b))
           order by b.opened_at, b.blocker_id collate "C"), '[]')
    from striatumd.runs_in_view(p_repository_id, p_run_id) r
    join striatumd.blockers b on b.run_id = r.run_id
    left join striatumd.jobs j on j.job_id = b.job_id
   where b.state = 'open'
$$;
