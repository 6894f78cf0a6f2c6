-- The columns of a lease that its events carry. When it expires is not among them: a heartbeat
-- moves that, and its event says so.
create function striatumd.lease_folded(p striatumd.leases) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'session_id', (p).session_id,
    'message_id', (p).message_id,
    'job_id', (p).job_id,
    'attempt', (p).attempt,
    'state', (p).state,
    'lease_seconds', (p).lease_seconds,
    'acquired_at', striatumd.utc_micros((p).acquired_at),
    'ended_at', striatumd.utc_micros((p).ended_at),
    'release_reason', (p).release_reason,
    'has_published', (p).has_published);
end
$$;
