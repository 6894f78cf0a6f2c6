-- A run and all that belongs to it as the events of that run alone tell it, as fold answers. The
-- planner takes JSON for long, and would compile for seconds what runs for milliseconds.
create function striatumd.fold_run(p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
  set jit to off
as $$
  select striatumd.fold(coalesce(jsonb_agg(jsonb_build_object('event_id', event_id::text,
           'changes', coalesce(payload_json::jsonb -> 'changes', '[]'))
         order by segment_id, event_id), '[]'))
    from striatumd.events where run_id = p_run_id
$$;
