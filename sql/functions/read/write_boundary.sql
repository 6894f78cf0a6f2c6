-- Which durable tables the database itself protects, as one word: none, audit_only (the audit log),
-- audit_artifacts (artifacts too), full (events too).
create function striatumd.write_boundary() returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select case
    when not 'audit_log' = any (names) then 'none'
    when not 'artifacts' = any (names) then 'audit_only'
    when not 'events' = any (names) then 'audit_artifacts'
    else 'full' end
    from (select coalesce(array_agg(name), '{}') as names
            from striatumd.protected_tables() as name) p
$$;
