-- An object of a workflow that names a file, with the file's path from the top of the repository:
-- a workflow names files as seen from its own folder.
create function striatumd.packet_reference(p_source_path text, p_object jsonb, p_key text)
  returns jsonb
  language plpgsql immutable parallel safe
as $$
declare
  v_path  text := pg_catalog.jsonb_extract_path_text(p_object, p_key);
  v_step  text;
  v_steps text[] := '{}'::text[];
begin
  if v_path is null then
    return coalesce(p_object, '{}'::jsonb);
  end if;
  foreach v_step in array pg_catalog.string_to_array(pg_catalog.concat(
      pg_catalog.regexp_replace(p_source_path, '[^/]*$', ''), v_path), '/') loop
    if v_step = '..' then
      v_steps := pg_catalog.trim_array(v_steps,
        least(1, pg_catalog.cardinality(v_steps)));
    elsif v_step not in ('', '.') then
      v_steps := pg_catalog.array_append(v_steps, v_step);
    end if;
  end loop;
  return pg_catalog.jsonb_set(p_object, array[p_key],
    pg_catalog.to_jsonb(pg_catalog.array_to_string(v_steps, '/')));
end
$$;
