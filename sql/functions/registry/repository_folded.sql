-- The columns of a repository that its events carry.
create function striatumd.repository_folded(p striatumd.repositories) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object('root', (p).root, 'inode', (p).inode,
    'display_name', (p).display_name, 'state', (p).state, 'is_initialized', (p).is_initialized,
    'added_at', striatumd.utc_micros((p).added_at),
    'removed_at', striatumd.utc_micros((p).removed_at));
end
$$;
