-- The durable tables that the database itself protects. A table is protected that exists, belongs
-- to striatum_owner, refuses every write to the runtime login, and is append-only for everybody;
-- and so is each partition of it, since it is the partition's own trigger that fires.
create function striatumd.protected_tables() returns setof text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with part as (                         -- each table with what its rows lie in, itself as well
    select c.relname::text as name, p.relid, l.relowner
      from pg_class c
     cross join lateral (
       select relid from pg_partition_tree(c.oid) union select c.oid) p
      join pg_class l on l.oid = p.relid
     where c.relnamespace = 'striatumd'::regnamespace
       and c.relname in ('audit_log', 'artifacts', 'events'))
  select name from part
     group by name
    having bool_and(relowner = (select oid from pg_roles where rolname = 'striatum_owner'))
       and bool_and(exists (              -- before each row, at every update and delete
         select from pg_trigger t
          where t.tgrelid = relid and t.tgname = 'append_only' and t.tgenabled in ('O', 'A')
            and t.tgfoid = 'striatumd.append_only()'::regprocedure
            and t.tgtype & 27 = 27 and t.tgqual is null and cardinality(t.tgattr::int2[]) = 0))
       and bool_and(exists (              -- before each truncate
         select from pg_trigger t
          where t.tgrelid = relid and t.tgname = 'never_emptied' and t.tgenabled in ('O', 'A')
            and t.tgfoid = 'striatumd.append_only()'::regprocedure and t.tgtype & 34 = 34))
       and bool_and(not exists (
         select from pg_roles r
          where r.rolname in ('striatumd_rw', 'striatumd_rw_' || current_database())
            and (has_table_privilege(r.oid, relid, 'insert, update, delete, truncate')
                 or has_any_column_privilege(r.oid, relid, 'insert, update'))))
$$;
