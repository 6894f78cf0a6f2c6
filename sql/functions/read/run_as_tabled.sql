-- A run and all that belongs to it as the tables have it: each thing by its kind and id, with the
-- columns that its events carry. The counterpart of fold_run's `state`.
create function striatumd.run_as_tabled(p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with thing (kind, id, columns) as (
    select 'run', run_id::text, striatumd.run_folded(t) from striatumd.runs t
     where run_id = p_run_id
     union all
    select 'job', job_id, striatumd.job_folded(t) from striatumd.jobs t where run_id = p_run_id
     union all
    select 'cycle', from_job_id, striatumd.cycle_folded(t) from striatumd.job_cycles t
     where run_id = p_run_id
     union all
    select 'session', session_id, striatumd.session_folded(t) from striatumd.sessions t
     where run_id = p_run_id
     union all
    select 'supervisor', supervisor_id, striatumd.supervisor_folded(t)
      from striatumd.process_supervisors t where run_id = p_run_id
     union all
    select 'message', message_id, striatumd.message_folded(t) from striatumd.queue_messages t
     where run_id = p_run_id
     union all
    select 'lease', lease_id, striatumd.lease_folded(t) from striatumd.leases t
     where run_id = p_run_id
     union all
    select 'artifact', artifact_id, striatumd.artifact_folded(t) from striatumd.artifacts t
     where run_id = p_run_id
     union all
    select 'verdict', verdict_id, striatumd.verdict_folded(t) from striatumd.verdicts t
     where run_id = p_run_id
     union all
    select 'blocker', blocker_id, striatumd.blocker_folded(t) from striatumd.blockers t
     where run_id = p_run_id)
  select coalesce(jsonb_object_agg(kind, things), '{}')
    from (select kind, jsonb_object_agg(id, columns) as things from thing group by kind) as kinds
$$;
