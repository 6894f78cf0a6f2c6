-- The hash over all registrations: two programs with one etag speak of the same methods.
create function striatumd.methods_etag() returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select 'sha256:' || encode(sha256(convert_to(
           jsonb_agg(to_jsonb(m) order by m.method collate "C")::text, 'UTF8')), 'hex')
    from striatumd.methods m
$$;
