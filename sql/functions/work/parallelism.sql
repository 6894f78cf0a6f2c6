-- How much of a run may be worked on at once, as its workflow says, and what is worked on now:
-- `{mode, max_active_jobs, is_disjoint, active}`, each active job as `at_work` shows it. A job is
-- active while a session holds it. Null where the workflow says nothing.
create function striatumd.parallelism(p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'mode', says -> 'mode',
    'max_active_jobs', (
      select greatest(1, most::numeric) from jsonb_path_query(says,
        '$.max_active_jobs ? (@.type() == "number")') as most),
    'is_disjoint', coalesce(says -> 'require_disjoint_write_scopes' = 'true', false),
    'active', (
      select coalesce(jsonb_agg(striatumd.at_work(j, s.lane_id) order by j.ordinal), '[]')
        from striatumd.leases l
        join striatumd.sessions s on s.session_id = l.session_id
        join striatumd.jobs j on j.job_id = l.job_id
       where l.run_id = p_run_id and l.state = 'active'))
    from (select heading -> 'parallelism' as says
            from striatumd.workflow_snapshots where run_id = p_run_id) as snapshot
   where says ?| '{mode,max_active_jobs,require_disjoint_write_scopes}'
$$;
