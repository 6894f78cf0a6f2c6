-- What the runtime login can read in the schema.
begin;
select plan(10);

-- given
create view striatumd.shown as select 1 as n;
create function pg_temp.open(p_right text, p_role text default null) returns text
  language sql as $$
  select tap.after(format('grant %s to %I', p_right,
      coalesce(p_role, 'striatumd_rw_' || current_database())),
    'select array_agg(name order by name) from striatumd.open_reads() as name')
$$;

-- does
select is_empty('select * from striatumd.open_reads()', 'as installed, nothing');
select is(pg_temp.open('select on striatumd.effects'), '{effects}', 'a table');
select is(pg_temp.open('select on striatumd.shown'), '{shown}', 'a view');
select is(pg_temp.open('select on striatumd.events'), '{events}',
  'a table in parts, not its parts');
select is(pg_temp.open('select on striatumd.events_1'), '{events_1}', 'a part');
select is(pg_temp.open('select (kind, args) on striatumd.effects'), '{effects.args,effects.kind}',
  'columns, each by its name');
select is(pg_temp.open('select on striatumd.effects', 'striatumd_rw'), '{effects}',
  'what the group has, the login has');
select is(tap.after('grant select on striatumd.effects to public',
  'select array_agg(name) from striatumd.open_reads() as name'), '{effects}', 'and what all have');
select is(pg_temp.open('select on striatumd.effects', 'striatum_bootstrap'), null,
  'what others have is not the login''s');

-- at the boundary
select is(pg_temp.open('insert, update on striatumd.effects'), null, 'to write is not to read');

select * from finish();
rollback;
