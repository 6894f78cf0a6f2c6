-- The checks of one plane, and whether all of them are well.
create function striatumd.plane(p_checks jsonb, p_plane text) returns jsonb
  language sql immutable parallel safe
as $$
  select pg_catalog.jsonb_build_object('ok', pg_catalog.bool_and((c ->> 'ok')::boolean),
    'checks', pg_catalog.jsonb_agg(c - 'plane'))
    from pg_catalog.jsonb_array_elements(p_checks) as c where c ->> 'plane' = p_plane
$$;
