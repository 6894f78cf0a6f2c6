-- Makes the jobs of a run from its workflow, with the edges and cycles between them. The answer is
-- the changes, in the order of the workflow.
create function striatumd.materialize_jobs(p_run striatumd.runs, p_workflow jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_jobs   jsonb;
  v_cycles jsonb;
begin
  perform striatumd.assert_daemon_authority();
  with made as (
    insert into striatumd.jobs (job_id, repository_id, run_id, workflow_job_id, ordinal, job_type,
      title, role_id, lane_id, state, attempt, is_verdict, is_repo_write, is_fresh, spec)
    select striatumd.new_id('job'), p_run.repository_id, p_run.run_id, j ->> 'id', n,
           coalesce(j ->> 'type', 'generic'), coalesce(j ->> 'title', j ->> 'id'), j ->> 'role_id',
           j ->> 'lane_id', 'pending', 1,
           coalesce(j ->> 'type' in ('review', 'phase_synthesis'), false),
           coalesce((j #>> '{write_scope,repo_write}')::boolean, false),
           coalesce((j ->> 'fresh_session_required')::boolean, false)
             or coalesce(j ->> 'reviewer_context_policy' = 'fresh', false), j
      from jsonb_array_elements(p_workflow -> 'jobs') with ordinality as e (j, n)
    returning jobs)
  select jsonb_agg(striatumd.change('job', (m.jobs).job_id, null, striatumd.job_folded(m.jobs))
           order by (m.jobs).ordinal)
    into v_jobs from made m;
  insert into striatumd.job_edges
  select p_run.run_id, f.job_id, t.job_id
    from jsonb_array_elements(p_workflow -> 'edges') as e
    join striatumd.jobs f on f.run_id = p_run.run_id and f.workflow_job_id = e ->> 'from'
    join striatumd.jobs t on t.run_id = p_run.run_id and t.workflow_job_id = e ->> 'to';
  with made as (
    insert into striatumd.job_cycles
    select p_run.run_id, f.job_id, t.job_id, (c ->> 'max_iterations')::integer, 0
      from jsonb_array_elements(p_workflow -> 'cycles') as c
      join striatumd.jobs f on f.run_id = p_run.run_id and f.workflow_job_id = c ->> 'from'
      join striatumd.jobs t on t.run_id = p_run.run_id and t.workflow_job_id = c ->> 'to'
    returning job_cycles)
  select coalesce(jsonb_agg(striatumd.change('cycle', (m.job_cycles).from_job_id, null,
           striatumd.cycle_folded(m.job_cycles)) order by (m.job_cycles).from_job_id), '[]')
    into v_cycles from made m;
  return v_jobs || v_cycles;
end
$$;
