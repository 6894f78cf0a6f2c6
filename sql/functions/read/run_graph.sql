-- run.graph: the graph of a run with how far each job is, for whoever draws it: phases, jobs in the
-- order of the workflow, edges, and the ways back with how often each was taken.
--
-- Errors: run_not_found  there is no such run in the repository, or it is not the session's own
create function striatumd.run_graph(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_run    striatumd.runs;
  v_phases jsonb;
  v_jobs   jsonb;
  v_edges  jsonb;
  v_cycles jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  v_run := striatumd.run_to_read(p_call, p ->> 'run_id');
  select coalesce(jsonb_agg(jsonb_build_object('id', e -> 'id', 'name', e -> 'name',
           'synthesis_job_id', e -> 'synthesis_job_id') order by n), '[]')
    into v_phases
    from striatumd.workflow_snapshots s,
         jsonb_array_elements(s.heading -> 'phases') with ordinality as phases (e, n)
   where s.run_id = v_run.run_id;
  select coalesce(jsonb_agg(jsonb_build_object('job', workflow_job_id, 'job_id', job_id,
           'job_type', job_type, 'title', title, 'role_id', role_id, 'lane_id', lane_id,
           'phase_id', spec -> 'phase_id', 'is_verdict', is_verdict,
           'is_repo_write', is_repo_write, 'state', state, 'attempt', attempt)
           order by ordinal), '[]')
    into v_jobs from striatumd.jobs where run_id = v_run.run_id;
  select coalesce(jsonb_agg(jsonb_build_object('from', f.workflow_job_id,
           'to', t.workflow_job_id) order by f.ordinal, t.ordinal), '[]')
    into v_edges
    from striatumd.job_edges e
    join striatumd.jobs f on f.job_id = e.from_job_id
    join striatumd.jobs t on t.job_id = e.to_job_id
   where e.run_id = v_run.run_id and f.run_id = v_run.run_id;
  select coalesce(jsonb_agg(jsonb_build_object('from', f.workflow_job_id,
           'to', t.workflow_job_id, 'max_iterations', c.max_iterations,
           'iterations', c.iterations) order by f.ordinal), '[]')
    into v_cycles
    from striatumd.job_cycles c
    join striatumd.jobs f on f.job_id = c.from_job_id
    join striatumd.jobs t on t.job_id = c.to_job_id
   where c.run_id = v_run.run_id and f.run_id = v_run.run_id;

  -- reply
  return striatumd.decided(jsonb_build_object('run', striatumd.run_shown(v_run, p_call.at),
    'phases', v_phases, 'jobs', v_jobs, 'edges', v_edges, 'cycles', v_cycles), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes)
values ('run.graph', 'Show the graph of a run and how far each job is', 'read', 'single_repo',
  'none', false, true, '{
  "type": "object", "additionalProperties": false, "required": ["run_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "run_id":        {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The run"}}}',
  '{run_not_found}');
