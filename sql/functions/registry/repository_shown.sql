-- A repository as replies show it.
create function striatumd.repository_shown(p striatumd.repositories) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object('repository_id', (p).repository_id, 'root', (p).root,
    'display_name', (p).display_name, 'state', (p).state, 'is_initialized', (p).is_initialized,
    'added_at', striatumd.utc_micros((p).added_at),
    'removed_at', striatumd.utc_micros((p).removed_at));
end
$$;
