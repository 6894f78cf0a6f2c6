-- What a method returns when it did its work: data for the reply, the events in their order, the
-- effects to perform. Whom it wakes follows from its events.
create function striatumd.decided(p_data jsonb, p_events jsonb, p_effects jsonb)
  returns striatumd.decision
  language sql immutable parallel safe
as $$
  select row(p_data, null::jsonb, p_events, p_effects, striatumd.wakes(p_events),
    null::text)::striatumd.decision
$$;
