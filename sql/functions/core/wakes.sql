-- Whom events wake: as `run:<run_id>` whoever waits for work in a run where work came into the
-- queue, a lease ended, or the run, a session or a supervisor became something else; as
-- `events:<run_id>` whoever waits for whatever happens in it.
create function striatumd.wakes(p_events jsonb) returns jsonb
  language plpgsql immutable parallel safe
as $$
declare
  v_event jsonb;
  v_wakes jsonb := '{}'::jsonb;
begin
  for v_event in select value from pg_catalog.jsonb_array_elements(p_events) loop
    continue when not pg_catalog.jsonb_path_exists(v_event, 'lax $.run_id ? (@ != null)');
    v_wakes := pg_catalog.jsonb_set(v_wakes,
      array[pg_catalog.concat('events:', pg_catalog.jsonb_extract_path_text(v_event, 'run_id'))],
      'true');
    if pg_catalog.jsonb_path_exists(v_event, 'lax $.payload.changes[*]
         ? (@.of == "message" && @.to.state == "pending"
            || @.of == "lease" && @.to.state != "active"
            || @.of == "run" || @.of == "session" || @.of == "supervisor")') then
      v_wakes := pg_catalog.jsonb_set(v_wakes,
        array[pg_catalog.concat('run:', pg_catalog.jsonb_extract_path_text(v_event, 'run_id'))],
        'true');
    end if;
  end loop;
  return (select coalesce(pg_catalog.jsonb_agg(key order by key), '[]')
            from pg_catalog.jsonb_object_keys(v_wakes) as key);
end
$$;
