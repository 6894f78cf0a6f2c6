-- list.jobs: the jobs of a run in the order of its workflow, each with who holds it and what it
-- waits for.
--
-- Errors: run_not_found  there is no such run in the repository, or it is not the session's own
create function striatumd.list_jobs(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_run  striatumd.runs;
  v_jobs jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  v_run := striatumd.run_to_read(p_call, p ->> 'run_id');
  select jsonb_agg(jsonb_build_object('job_id', j.job_id, 'workflow_job_id', j.workflow_job_id,
           'job_type', j.job_type, 'title', j.title, 'role_id', j.role_id, 'lane_id', j.lane_id,
           'state', j.state, 'attempt', j.attempt, 'requeues', j.requeues,
           'session', h.session, 'session_id', h.session_id, 'lease_id', h.lease_id,
           'expires_at', striatumd.utc_micros(h.expires_at), 'waits_for', coalesce((
             select jsonb_agg(f.workflow_job_id order by f.ordinal)
               from striatumd.job_edges e join striatumd.jobs f on f.job_id = e.from_job_id
              where e.to_job_id = j.job_id and j.state = 'pending'
                and f.state <> 'completed'), '[]'))
           order by j.ordinal)
    into v_jobs
    from striatumd.jobs j
    left join lateral (
      select l.lease_id, l.expires_at, s.session_id,
             concat_ws('-', s.role_id, s.lane_id, s.ordinal) as session
        from striatumd.leases l join striatumd.sessions s on s.session_id = l.session_id
       where l.job_id = j.job_id and l.state = 'active') h on true
   where j.run_id = v_run.run_id;

  -- reply
  return striatumd.decided(jsonb_build_object('run_id', v_run.run_id,
    'jobs', coalesce(v_jobs, '[]')), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('list.jobs', 'List the jobs of a run', 'read', 'single_repo', 'none', false, true, '{
  "type": "object", "additionalProperties": false, "required": ["run_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "run_id":        {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The run"}}}',
  '{run_not_found}', '{list,jobs}', '{run_id}',
  '{jobs, job_id, workflow_job_id, state, attempt, role_id, lane_id, session, expires_at,
    waits_for}',
  '{"striatum list jobs run_0123456789abcdef", "striatum list jobs run_0123456789abcdef --json"}');
