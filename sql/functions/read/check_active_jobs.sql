-- doctor, active_job_without_active_lease: whatever is being worked on is held by somebody.
create function striatumd.check_active_jobs() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('availability', 'active_job_without_active_lease', count(*) = 0, case
      when count(*) > 0 then format('%s jobs are claimed or running, and no lease holds them',
        count(*))
      else 'every job that is worked on is held by a lease' end,
    jsonb_agg(j.job_id order by j.job_id collate "C"),
    array_agg(format('striatum why %s', j.job_id) order by j.job_id collate "C"))
    from striatumd.jobs j join striatumd.runs r on r.run_id = j.run_id
   where r.finished_at is null and j.state in ('claimed', 'running')
     and not exists (
       select from striatumd.leases l where l.job_id = j.job_id and l.state = 'active')
$$;
