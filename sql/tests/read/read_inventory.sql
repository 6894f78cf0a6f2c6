-- Every table of the schema has its class.
-- STR-READSCOPE-10: each is sealed; the runtime role reads it neither whole nor by column.
-- STR-READSCOPE-11: a table that is not classed is found.
begin;
select plan(6);

-- given
create temp view unclassed as
  select relname::text as name from pg_class
   where relnamespace = 'striatumd'::regnamespace and relkind in ('r', 'p', 'm', 'f')
  except select table_name from striatumd.read_inventory();

-- does
select is_empty('select * from unclassed', 'every table is classed');
select is_empty($$ select table_name from striatumd.read_inventory()
  except select relname::text from pg_class where relnamespace = 'striatumd'::regnamespace $$,
  'and nothing else');
select is((select count(*) from striatumd.read_inventory()),
  (select count(distinct table_name) from striatumd.read_inventory()), 'each once');
select is(array_agg(distinct read_class), '{sealed}', 'all of them are sealed')
  from striatumd.read_inventory();
select is_empty($$ select table_name from striatumd.read_inventory(),
    unnest(array['striatumd_rw', 'striatumd_rw_' || current_database()]) as role
  where has_any_column_privilege(role, 'striatumd.' || table_name, 'select') $$,
  'and so they are to the runtime role');

-- the checker, checked
create table striatumd.planted (n int);
select isnt_empty('select * from unclassed where name = ''planted''', 'a table without a class');

select * from finish();
rollback;
