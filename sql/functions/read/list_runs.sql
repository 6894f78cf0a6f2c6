-- list.runs: the runs of a repository, the newest first; those in one state where asked for.
create function striatumd.list_runs(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_runs jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select jsonb_agg(striatumd.run_shown(r, p_call.at)
           || jsonb_build_object('jobs', j.jobs, 'jobs_completed', j.completed)
           order by r.created_at desc, r.run_id collate "C")
    into v_runs
    from (select * from striatumd.runs
           where repository_id = p_call.repository_id
             and (p ->> 'state' is null or state::text = p ->> 'state')
           order by created_at desc, run_id collate "C"
           limit coalesce((p ->> 'limit')::integer, 50)) r
    left join lateral (
      select count(*) as jobs, count(*) filter (where state = 'completed') as completed
        from striatumd.jobs where run_id = r.run_id) j on true;

  -- reply
  return striatumd.decided(jsonb_build_object('runs', coalesce(v_runs, '[]')), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_shows, examples)
values ('list.runs', 'List the runs of a repository', 'read', 'single_repo', 'none', false, false,
  '{
  "type": "object", "additionalProperties": false,
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "state":         {"enum": ["needs_branch_confirmation", "ready", "running", "needs_operator",
                               "completed", "failed", "canceled", "compromised"],
                      "description": "Only those in this state"},
    "limit":         {"type": "integer", "minimum": 1, "maximum": 1000,
                      "description": "Runs at most, the newest; 50 where left out"}}}',
  '{}', '{list,runs}',
  '{run_id, workflow, state, jobs_completed, jobs, created_at, stop_reason}',
  '{"striatum list runs", "striatum list runs --state running --json"}');
