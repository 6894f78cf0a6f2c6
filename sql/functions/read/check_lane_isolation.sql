-- doctor, lane_isolation: whether lanes run as another user than the daemon. While they do not, or
-- while nothing lies outside of their reach, no text may say that an agent cannot forge, or that
-- forging is detected. Not a fault, and said every time.
create function striatumd.check_lane_isolation(p_seen jsonb) returns jsonb
  language sql immutable parallel safe
as $$
  select striatumd.finding('provenance', 'lane_isolation', true, pg_catalog.format(
    'shared_user: lanes run as the daemon''s own user (%s) and no anchor lies outside of its reach,'
    ' so what an agent of that user forges is neither prevented nor detected',
    coalesce(p_seen ->> 'user', 'unknown')), '[]'::jsonb, '{}')
$$;
