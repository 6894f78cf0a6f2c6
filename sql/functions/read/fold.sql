-- What events tell of the things that they change: `state`, each thing by its kind and id with the
-- columns that it has after the last of them, and `differences`, in their order: a change that does
-- not begin from what the events before it left. The events are a list of {event_id, changes}.
create function striatumd.fold(p_events jsonb) returns jsonb
  language sql immutable parallel safe
as $$
  with change as (
    select pg_catalog.row_number() over (order by e.n, c.n) as at,
           pg_catalog.row_number() over (partition by c.value ->> 'of', c.value ->> 'id'
                                         order by e.n, c.n) as nth,
           e.value ->> 'event_id' as event_id, c.value ->> 'of' as kind, c.value ->> 'id' as id,
           coalesce(nullif(c.value -> 'from', 'null'), '{}') as was,
           coalesce(nullif(c.value -> 'to', 'null'), '{}') as became,
           coalesce(c.value -> 'from', 'null') = 'null' as is_new
      from pg_catalog.jsonb_array_elements(p_events) with ordinality as e (value, n)
     cross join lateral pg_catalog.jsonb_array_elements(e.value -> 'changes')
       with ordinality as c (value, n)),
  step as (                               -- a column that a change names, before or after
    select at, event_id, kind, id, key, became -> key as value,
           coalesce(was -> key, 'null') as said,
           coalesce(pg_catalog.lag(coalesce(became -> key, was -> key))
             over (partition by kind, id, key order by at), 'null') as known
      from change
     cross join lateral (select pg_catalog.jsonb_object_keys(was)
                         union select pg_catalog.jsonb_object_keys(became)) as k (key)),
  thing as (
    select kind, id, pg_catalog.jsonb_object_agg(key, value order by at) as columns
      from step where value is not null group by kind, id),
  difference as (
    select at, event_id, kind, id, null as key, 'null'::jsonb as said, 'null'::jsonb as known
      from change where is_new <> (nth = 1)
     union all
    select at, event_id, kind, id, key, said, known
      from step where said <> known)
  select pg_catalog.jsonb_build_object(
    'state', coalesce((
      select pg_catalog.jsonb_object_agg(kind, things) from (
        select kind, pg_catalog.jsonb_object_agg(id, columns) as things
          from thing group by kind) as kinds), '{}'),
    'differences', coalesce((
      select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('event_id', event_id, 'of', kind,
               'id', id, 'column', key, 'said', said, 'known', known)
             order by at, key nulls first)
        from difference), '[]'))
$$;
