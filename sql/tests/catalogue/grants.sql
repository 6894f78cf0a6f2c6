-- STR-AUTHZ-03, STR-READSCOPE-01: what the runtime login may do with this database: connect
-- to it, and execute the door.
-- STR-READSCOPE-02, STR-READSCOPE-03: who acts for whom is the owner's, and it cannot read that.
-- STR-STORE-04: it changes and deletes no event and no artifact.
-- STR-STORE-14: nor changes the shape of a table, what a function does or who has which right.
begin;
select plan(28);

create temp view runtime as
  select unnest(array['striatumd_rw', 'striatumd_rw_' || current_database()]) as name;

create temp view on_tables as
  select r.name || ' on ' || c.oid::regclass as grant_found from runtime r, pg_class c
   where c.relnamespace = 'striatumd'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
     and has_table_privilege(r.name, c.oid,
       'select, insert, update, delete, truncate, references, trigger');
create temp view on_columns as
  select r.name || ' on ' || c.oid::regclass as grant_found from runtime r, pg_class c
   where c.relnamespace = 'striatumd'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
     and has_any_column_privilege(r.name, c.oid, 'select, insert, update, references');
create temp view on_sequences as
  select r.name || ' on ' || c.oid::regclass as grant_found from runtime r, pg_class c
   where c.relnamespace = 'striatumd'::regnamespace and c.relkind = 'S'
     and has_sequence_privilege(r.name, c.oid, 'usage, select, update');
create temp view on_the_schema as
  select name from runtime where has_schema_privilege(name, 'striatumd', 'create');
create temp view on_the_database as
  select name from runtime where has_database_privilege(name, current_database(), 'create, temp');
create temp view on_public as
  select name from runtime where has_schema_privilege(name, 'public', 'create');
create temp view from_elsewhere as          -- logins of other databases of this server
  select rolname from pg_roles
   where rolname ~ '^striatumd_rw_' and rolname <> 'striatumd_rw_' || current_database()
     and has_database_privilege(rolname, current_database(), 'connect');

select is((select count(*) from runtime where to_regrole(name) is not null), 2::bigint,
  'both roles are there');
select is_empty('select * from on_tables', 'no table');
select is_empty('select * from on_columns', 'no column');
select is_empty('select * from on_sequences', 'no sequence');
select table_owner_is('striatumd', name, 'striatum_owner', name || ' is the owner''s')
  from unnest(array['principals', 'principal_clients', 'client_sessions']) as name;
select is_empty(format($$ select name from runtime
    where tap.sqlstate_of(%L, name) is distinct from '42501' $$, statement), statement)
  from unnest(array['select from striatumd.principals', 'select from striatumd.client_sessions',
    'select principal_id from striatumd.principal_clients']) as statement;
select is_empty(format($$ select name from runtime
    where tap.sqlstate_of(%L, name) is distinct from '42501' $$, statement), statement)
  from unnest(array['alter table striatumd.events add column planted integer',
    'drop table striatumd.effects', 'drop trigger append_only on striatumd.events',
    'alter function striatumd.call(bytea, jsonb) security invoker',
    'drop function striatumd.call(bytea, jsonb)',
    'create function striatumd.planted() returns integer language sql as ''select 1'''])
    as statement;
select is_empty('select * from on_the_schema', 'no object in the schema');
select is_empty('select * from on_the_database', 'no object or temporary table in the database');
select is_empty('select * from on_public', 'nothing in schema public');
select ok(
  has_database_privilege('striatumd_rw_' || current_database(), current_database(), 'connect'),
  'the login of this database may connect');
select is_empty('select * from from_elsewhere', 'the login of another database may not');

-- The checkers, checked.
grant select on striatumd.installation to striatumd_rw;
select isnt_empty('select * from on_tables', 'a table''s rule that sees');
revoke all on striatumd.installation from striatumd_rw;
grant select (kind) on striatumd.installation to striatumd_rw;
select isnt_empty('select * from on_columns', 'a column''s rule that sees');
create sequence striatumd.planted;
grant usage on sequence striatumd.planted to striatumd_rw;
select isnt_empty('select * from on_sequences', 'a sequence''s rule that sees');
grant create on schema striatumd to striatumd_rw;
select isnt_empty('select * from on_the_schema', 'a schema''s rule that sees');
grant create on schema public to striatumd_rw;
select isnt_empty('select * from on_public', 'a rule of schema public that sees');
select lives_ok(format('grant temp on database %I to striatumd_rw', current_database()),
  'temporary tables are given');
select isnt_empty('select * from on_the_database', 'a database''s rule that sees');

select * from finish();
rollback;
