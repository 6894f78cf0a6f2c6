-- Which real folder a path leads to: the observer is told the path and answers `{real_path,
-- state}`.
create function striatumd.observe_path_place(p_call striatumd.call_context, p jsonb) returns jsonb
  language sql immutable parallel safe
as $$
  select pg_catalog.jsonb_build_object('path', p -> 'path')
$$;
