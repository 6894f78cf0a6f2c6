-- The columns of a session that its events carry.
create function striatumd.session_folded(p striatumd.sessions) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'role_id', (p).role_id,
    'lane_id', (p).lane_id,
    'ordinal', (p).ordinal,
    'state', (p).state,
    'operator_label', (p).operator_label,
    'non_fresh_reason', (p).non_fresh_reason,
    'registered_by', (p).registered_by,
    'registered_at', striatumd.utc_micros((p).registered_at),
    'closed_at', striatumd.utc_micros((p).closed_at),
    'close_reason', (p).close_reason,
    'close_note', (p).close_note);
end
$$;
