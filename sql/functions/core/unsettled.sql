-- What a method returns when it settles nothing: `wait` (there is nothing yet) or `look` (what was
-- observed is of something else by now), and the answer of the last try.
create function striatumd.unsettled(p_again text, p_data jsonb, p_refusal jsonb)
  returns striatumd.decision
  language sql immutable parallel safe
as $$
  select row(p_data, p_refusal, '[]'::jsonb, '[]'::jsonb, '[]'::jsonb, p_again)::striatumd.decision
$$;
