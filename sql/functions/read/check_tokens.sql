-- doctor, tokens: somebody can administer the daemon for a while yet.
create function striatumd.check_tokens(p_at timestamptz) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('availability', 'tokens', count(*) > 0, case
      when count(*) > 0 then format('%s tokens can administer the daemon', count(*))
      else 'no token that lasts another day can administer the daemon' end, '[]',
    array['striatum token create admin', 'striatumd token recover'])
    from striatumd.clients c
   where c.revoked_at is null and coalesce(c.expires_at, 'infinity') > p_at + interval '1 day'
     and exists (select from striatumd.client_capabilities g
                  where g.client_id = c.client_id and g.capability = 'admin'
                    and g.repository_id is null and g.revoked_at is null)
$$;
