-- Every privilege of the runtime login, or of its group, that should not be there.
begin;
select plan(46);

-- given
create table striatumd.things (n bigint generated always as identity, name text);
create view striatumd.shown as select 1 as n;
create function pg_temp.drift(p_grant text, p_role text) returns text language sql as $$
  select tap.after(format('grant %s to %s', p_grant, p_role),
    'select string_agg(d, ''; '' order by d) from striatumd.grant_drift() as d')
$$;
create temp table runtime as
  select name from unnest(array['striatumd_rw', 'striatumd_rw_' || current_database()]) as name;

-- does
select is_empty('select * from striatumd.grant_drift()', 'as installed there is none');
select is(pg_temp.drift(given, name), seen, format('given to %s: %s',
    case name when 'striatumd_rw' then 'the group' else 'the login' end, given))
  from runtime, (values
  ('select on striatumd.clients', 'select on clients'),
  ('select (token_hash) on striatumd.clients', 'select on clients.token_hash'),
  ('select on striatumd.shown', 'select on shown'),
  ('insert on striatumd.audit_log', 'insert on audit_log'),
  ('update on striatumd.audit_log_1', 'update on audit_log_1'),
  ('delete on striatumd.events', 'delete on events'),
  ('truncate on striatumd.events', 'truncate on events'),
  ('trigger on striatumd.clients', 'trigger on clients'),
  ('references on striatumd.clients', 'references on clients'),
  ('insert (kind) on striatumd.effects', 'insert on effects.kind'),
  ('update (revoked_at) on striatumd.clients', 'update on clients.revoked_at'),
  ('references (client_id) on striatumd.clients', 'references on clients.client_id'),
  ('usage on sequence striatumd.things_n_seq', 'usage on things_n_seq'),
  ('select, update on sequence striatumd.things_n_seq',
    'select on things_n_seq; update on things_n_seq'),
  ('execute on function striatumd.now()', 'execute on striatumd.now()'),
  ('execute on function striatumd.append_events(jsonb)',
    'execute on striatumd.append_events(jsonb)'),
  ('execute on function striatum_roles.set_runtime_password(text)',
    'execute on striatum_roles.set_runtime_password(text)'),
  ('create on schema striatumd', 'create in schema striatumd'),
  ('create on schema striatum_roles', 'create in schema striatum_roles')) as grants (given, seen);
-- Memberships stand in the whole server: only the login, which is this database's own.
select matches(pg_temp.drift('striatum_owner', quote_ident(name)),
  name || ' is a member of striatum_owner', 'membership in the owner') from runtime
 where name <> 'striatumd_rw';
select matches(pg_temp.drift('striatum_rotator', quote_ident(name)),
  name || ' is a member of striatum_rotator', 'in the rotator') from runtime
 where name <> 'striatumd_rw';
select matches(pg_temp.drift('pg_read_all_data', quote_ident(name)), 'select on clients',
  'or in whoever reads all') from runtime where name <> 'striatumd_rw';
select is(pg_temp.drift('execute on function striatumd.now()', 'public'),
  'execute on striatumd.now()', 'what is given to all');

-- at the boundary
select is(pg_temp.drift('execute on function striatumd.call(bytea, jsonb)', name), null,
  'the door itself is none') from runtime where name <> 'striatumd_rw';
select is(pg_temp.drift('select on striatumd.clients', 'striatum_bootstrap'), null,
  'nor what others have');
select is(pg_temp.drift('insert (kind), update (kind) on striatumd.effects', 'striatumd_rw'),
  'insert on effects.kind; update on effects.kind', 'each is named, once');

select * from finish();
rollback;
