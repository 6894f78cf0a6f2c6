-- The columns of a blocker that its events carry; its description is prose and no part of the
-- record.
create function striatumd.blocker_folded(p striatumd.blockers) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'job_id', (p).job_id,
    'session_id', (p).session_id,
    'severity', (p).severity,
    'kind', (p).kind,
    'state', (p).state,
    'opened_at', striatumd.utc_micros((p).opened_at),
    'resolved_at', striatumd.utc_micros((p).resolved_at),
    'resolution', (p).resolution,
    'resolved_by', (p).resolved_by);
end
$$;
