-- A session as replies show it. Its slug is what people call it by.
create function striatumd.session_shown(p striatumd.sessions) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'session_id', (p).session_id,
    'slug', pg_catalog.concat_ws('-', (p).role_id, (p).lane_id, (p).ordinal),
    'run_id', (p).run_id,
    'role_id', (p).role_id,
    'lane_id', (p).lane_id,
    'ordinal', (p).ordinal,
    'state', (p).state,
    'operator_label', (p).operator_label,
    'non_fresh_reason', (p).non_fresh_reason,
    'registered_at', striatumd.utc_micros((p).registered_at),
    'closed_at', striatumd.utc_micros((p).closed_at),
    'close_reason', (p).close_reason,
    'close_note', (p).close_note);
end
$$;
