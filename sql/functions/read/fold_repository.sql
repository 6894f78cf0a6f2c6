-- A repository as its events alone tell it; null where they tell nothing. Of a column that changed
-- more than once the last change counts.
create function striatumd.fold_repository(p_repository_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select jsonb_object_agg(k.key, k.value order by e.segment_id, e.event_id, c.n)
    from striatumd.events e
   cross join lateral jsonb_array_elements(e.payload_json::jsonb -> 'changes')
     with ordinality as c (change, n)
   cross join lateral jsonb_each(c.change -> 'to') as k
   where e.repository_id = p_repository_id
     and c.change ->> 'of' = 'repository' and c.change ->> 'id' = p_repository_id
$$;
