-- A session's agent gets a token of its own: `{salt, hash}` of a secret that the daemon makes and
-- hands to the agent alone, never to whoever started it.
create function striatumd.observe_lane_secret(p_call striatumd.call_context, p jsonb) returns jsonb
  language sql immutable parallel safe
as $$
  select '{}'::jsonb
$$;
