-- doctor, runtime_role: the runtime login is another role than the owner. Where it is a member of
-- striatum_owner, directly or not, or owns what is in the schema, it can do all that the owner can:
-- a password that rotates protects nothing then. (Were the schema itself the login's, the door
-- would not open at all.)
create function striatumd.check_runtime_role() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with runtime as (
    select oid, rolname from pg_roles
     where rolname in ('striatumd_rw', 'striatumd_rw_' || current_database())),
  owned as (
    select relowner as owner, format('%s', oid::regclass) as what from pg_class
     where relnamespace = 'striatumd'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
    union all
    select proowner, format('%s', oid::regprocedure) from pg_proc
     where pronamespace = 'striatumd'::regnamespace
    union all
    select typowner, format('type %s', oid::regtype) from pg_type t
     where typnamespace = 'striatumd'::regnamespace and typtype in ('e', 'd', 'r', 'm')),
  same as (
    select format('%s is a member of striatum_owner', rolname) as says from runtime
     where pg_has_role(oid, 'striatum_owner', 'member')
    union all
    select format('%s owns %s', rolname, what) from owned join runtime on runtime.oid = owner)
  select striatumd.finding('provenance', 'runtime_role', count(*) = 0, case
      when count(*) > 0 then
        'rotation is inert: the runtime login can do what the owner can, with any password'
      else 'the runtime login is not the owner: a new password shuts out who had the one before'
      end,
    jsonb_agg(says order by says), array['striatum db plan', 'striatum db apply'])
    from same
$$;
