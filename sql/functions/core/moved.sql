-- One entry of an event's `changes` for a row that was there before: of its folded columns those
-- that differ, as they were and as they are; an empty object on both sides where none does.
create function striatumd.moved(p_of text, p_id text, p_from jsonb, p_to jsonb) returns jsonb
  language plpgsql immutable parallel safe
as $$
declare
  v_key  text;
  v_from jsonb := '{}'::jsonb;
  v_to   jsonb := '{}'::jsonb;
begin
  for v_key in select pg_catalog.jsonb_object_keys(p_to) loop
    if pg_catalog.jsonb_extract_path(p_from, v_key)
       is distinct from pg_catalog.jsonb_extract_path(p_to, v_key) then
      v_from := pg_catalog.jsonb_set(v_from, array[v_key],
        pg_catalog.jsonb_extract_path(p_from, v_key));
      v_to := pg_catalog.jsonb_set(v_to, array[v_key],
        pg_catalog.jsonb_extract_path(p_to, v_key));
    end if;
  end loop;
  return striatumd.change(p_of, p_id, v_from, v_to);
end
$$;
