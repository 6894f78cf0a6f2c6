-- The states of a run and of its jobs, by the names that the workflow gives them; without a run,
-- nothing of either.
create function striatumd.state_projection(p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'run_state', (select state from striatumd.runs where run_id = p_run_id),
    'jobs', (select coalesce(jsonb_agg(jsonb_build_object('id', workflow_job_id, 'state', state)
                    order by ordinal), '[]')
               from striatumd.jobs where run_id = p_run_id))
$$;
