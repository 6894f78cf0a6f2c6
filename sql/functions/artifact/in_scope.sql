-- Whether a path lies in a write scope: inside one of its allowed paths, outside all forbidden
-- ones. A path of a scope stands for itself and all below it; a dot for the whole repository.
create function striatumd.in_scope(p_path text, p_scope jsonb) returns boolean
  language plpgsql immutable parallel safe
as $$
declare
  v_key  text;
  v_path text;
  v_in   boolean := false;
begin
  foreach v_key in array array['allowed_paths', 'forbidden_paths'] loop
    for v_path in
      select pg_catalog.rtrim(pg_catalog.regexp_replace(value, '^(\./)+', ''), '/')
        from pg_catalog.jsonb_array_elements_text(coalesce(
          pg_catalog.jsonb_extract_path(p_scope, v_key), '[]'))
    loop
      if v_path in ('', '.', p_path)
         or pg_catalog.starts_with(p_path, pg_catalog.concat(v_path, '/')) then
        if v_key = 'forbidden_paths' then
          return false;
        end if;
        v_in := true;
      end if;
    end loop;
  end loop;
  return v_in;
end
$$;
