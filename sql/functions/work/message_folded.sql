-- The columns of a queue message that its events carry.
create function striatumd.message_folded(p striatumd.queue_messages) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'job_id', (p).job_id,
    'attempt', (p).attempt,
    'role_id', (p).role_id,
    'lane_id', (p).lane_id,
    'is_fresh', (p).is_fresh,
    'state', (p).state,
    'claim_count', (p).claim_count,
    'queued_at', striatumd.utc_micros((p).queued_at));
end
$$;
