-- What brought it about that work goes back or stops: how its agent ended, or which review sent it
-- back. Nothing of other events.
create function striatumd.why_event(p_event_type text, p_reason text, p_run_id text,
    p_event_id bigint, p_session_id text)
  returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select case
    when p_session_id is not null
         and p_reason in ('owner_gone', 'lease_owner_gone', 'recovery_exhausted') then (
      select case
          when e ->> 'exit_signal' is not null
            then format('agent ended (signal %s)', e ->> 'exit_signal')
          when e ->> 'exit_code' is not null
            then format('agent ended (exit code %s)', e ->> 'exit_code')
          else 'agent gone' end
        from striatumd.owner_end(p_session_id) as e)
    when p_event_type = 'job.reopened' then (
      select format('%s by %s', p_reason, b.payload_json::jsonb ->> 'from_workflow_job_id')
        from striatumd.events b
       where b.run_id = p_run_id and b.event_id = p_event_id - 1
         and b.event_type = 'revision.cycle_routed')
    end
$$;
