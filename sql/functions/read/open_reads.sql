-- What the runtime login can read in the schema, by live probes: `table` or `table.column` of each
-- table, view and column that is open to it.
create function striatumd.open_reads() returns setof text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select case when has_table_privilege(r.oid, c.oid, 'select') then c.relname::text
              else format('%s.%s', c.relname, a.attname) end
    from pg_roles r
    join pg_class c on c.relnamespace = 'striatumd'::regnamespace
                   and c.relkind in ('r', 'p', 'v', 'm', 'f')
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where r.rolname = 'striatumd_rw_' || current_database()
     and has_column_privilege(r.oid, c.oid, a.attnum, 'select')
   group by 1
$$;
