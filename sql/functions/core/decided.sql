-- What a method returns when it did its work: data for the reply, the events in their order, the
-- effects to perform. Wakes come with the first method that lets somebody wait.
create function striatumd.decided(p_data jsonb, p_events jsonb, p_effects jsonb)
  returns striatumd.decision
  language sql immutable parallel safe
as $$
  select row(p_data, null::jsonb, p_events, p_effects, '[]'::jsonb)::striatumd.decision
$$;
