-- Every privilege of the runtime login, or of its group, that should not be there, by live probes:
-- a read, a write, of a table or of one column, a sequence, a function beside the door, a way to
-- create, membership in a role of ours that can do more.
create function striatumd.grant_drift() returns setof text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with runtime as (
    select oid, rolname from pg_roles
     where rolname in ('striatumd_rw', 'striatumd_rw_' || current_database())),
  relation as (
    select oid, relname, relkind from pg_class where relnamespace = 'striatumd'::regnamespace)
  select 'select on ' || striatumd.open_reads()
  union
  select format('%s on %s', privilege, c.relname)
    from runtime r, unnest(array['insert', 'update', 'delete', 'truncate', 'trigger', 'references'])
      as privilege, relation c
   where c.relkind in ('r', 'p', 'v', 'm', 'f') and has_table_privilege(r.oid, c.oid, privilege)
  union
  select format('%s on %s.%s', privilege, c.relname, a.attname)
    from runtime r, unnest(array['insert', 'update', 'references']) as privilege, relation c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relkind in ('r', 'p', 'v', 'm', 'f')
     and has_column_privilege(r.oid, c.oid, a.attnum, privilege)
     and not has_table_privilege(r.oid, c.oid, privilege)
  union
  select format('%s on %s', privilege, c.relname)
    from runtime r, unnest(array['usage', 'select', 'update']) as privilege, relation c
   where case when c.relkind = 'S' then has_sequence_privilege(r.oid, c.oid, privilege) end
  union
  select format('execute on %s', p.oid::regprocedure)
    from runtime r, pg_proc p
   where p.pronamespace in ('striatumd'::regnamespace, 'striatum_roles'::regnamespace)
     and p.oid <> 'striatumd.call(bytea,jsonb)'::regprocedure
     and has_function_privilege(r.oid, p.oid, 'execute')
  union
  select format('create in schema %s', n.nspname) from runtime r, pg_namespace n
   where n.nspname in ('striatumd', 'striatum_roles')
     and has_schema_privilege(r.oid, n.oid, 'create')
  union
  select format('%s is a member of %s', r.rolname, o.rolname) from runtime r, pg_roles o
   where o.rolname in ('striatum_owner', 'striatum_rotator', 'striatum_bootstrap')
     and pg_has_role(r.oid, o.oid, 'member')
$$;
