-- One entry of an event's `changes`: a thing, and every folded column of it that changed, before
-- and after. A null before is a creation, a null after an end.
create function striatumd.change(p_of text, p_id text, p_from jsonb, p_to jsonb) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object('of', p_of, 'id', p_id, 'from', p_from, 'to', p_to);
end
$$;
