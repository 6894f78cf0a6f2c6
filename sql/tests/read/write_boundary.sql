-- Which durable tables the database itself protects.
-- STR-AUTHZ-14: the posture is one word, from the live database (`none` where the boundary is
-- broken, which the check write_boundary reports as a fault).
-- STR-AUTHZ-15: the word comes from the live database.
begin;
select plan(40);

-- given
create function pg_temp.boundary(p_statement text) returns text language sql as $$
  select tap.after(replace(p_statement, ':login', 'striatumd_rw_' || current_database()),
    'select striatumd.write_boundary()')
$$;
create function pg_temp.none_of(p_table text, p_kept text, p_lost text) returns setof text
  language sql as $$
  select is(pg_temp.boundary(replace(statement, ':table', 'striatumd.' || p_table)), p_lost,
      format('%s, %s: %s', p_table, p_lost, statement))
    from unnest(array['drop trigger append_only on :table', 'drop trigger never_emptied on :table',
      'alter table :table disable trigger append_only',
      'alter table :table disable trigger never_emptied',
      'alter table :table enable replica trigger append_only',
      'alter table :table enable replica trigger never_emptied',
      'alter table :table owner to current_user', 'grant insert on :table to :login',
      'grant update on :table to striatumd_rw', 'grant delete on :table to public',
      'grant truncate on :table to :login', 'grant insert (row_hash) on :table to striatumd_rw',
      'grant update (row_hash) on :table to :login', 'drop table :table cascade']) as statement
  union all
  select is(pg_temp.boundary(replace(statement, ':table', 'striatumd.' || p_table)), p_kept,
      format('%s, %s: %s', p_table, p_kept, statement))
    from unnest(array['grant select on :table to :login',
      'alter table :table enable always trigger append_only']) as statement
$$;

-- does: as installed
select is(striatumd.write_boundary(), 'full', 'every durable table is protected');
select * from pg_temp.none_of('audit_log', 'full', 'none');

-- a partition's own trigger is the one that fires
select is(pg_temp.boundary(replace(statement, ':table', 'striatumd.audit_log_1')), 'none',
    'one part: ' || statement)
  from unnest(array['alter table :table disable trigger append_only',
    'drop trigger never_emptied on :table', 'grant insert on :table to :login',
    'alter table :table owner to current_user']) as statement;
select is(pg_temp.boundary(format('drop trigger append_only on striatumd.audit_log;
    create trigger append_only %s', part)), 'none', 'a trigger that ' || what) from (values
  ('before update on striatumd.audit_log for each row execute function striatumd.append_only()',
    'lets rows be deleted'),
  ('before update of method or delete on striatumd.audit_log for each row
     execute function striatumd.append_only()', 'looks at one column'),
  ('before update or delete on striatumd.audit_log for each row when (old.audit_id > 9)
     execute function striatumd.append_only()', 'looks at some rows'),
  ('before update or delete on striatumd.audit_log for each row
     execute function suppress_redundant_updates_trigger()', 'refuses nothing'),
  ('before delete on striatumd.audit_log for each row execute function striatumd.append_only()',
    'lets rows be changed'),
  ('before update or delete on striatumd.audit_log execute function striatumd.append_only();
    create trigger append_only before update or delete on striatumd.audit_log_1
      execute function striatumd.append_only()', 'looks at no row'),
  ('after update or delete on striatumd.audit_log for each row
     execute function striatumd.append_only()', 'comes too late')
  ) as bad (part, what);
select is(pg_temp.boundary(format('drop trigger never_emptied on striatumd.audit_log;
    create trigger never_emptied %s', part)), 'none', 'a trigger that ' || what) from (values
  ('before truncate on striatumd.audit_log execute function suppress_redundant_updates_trigger()',
    'lets all be emptied'),
  ('after truncate on striatumd.audit_log execute function striatumd.append_only()',
    'comes when all is empty'),
  ('before update on striatumd.audit_log execute function striatumd.append_only()',
    'waits for something else')) as bad (part, what);

-- one of the others
select is(pg_temp.boundary('drop trigger append_only on striatumd.artifacts;
    drop trigger never_emptied on striatumd.artifacts'), 'audit_only',
  'a table without protection adds nothing');
select is(pg_temp.boundary('alter table striatumd.artifacts owner to current_user'), 'audit_only',
  'nor one that is somebody else''s');
select is(pg_temp.boundary('drop trigger append_only on striatumd.artifacts'), 'audit_only',
  'artifacts are not');
select is(pg_temp.boundary('grant insert on striatumd.events to :login'), 'audit_artifacts',
  'events are not');
select is(pg_temp.boundary('alter table striatumd.events_1 disable trigger append_only'),
  'audit_artifacts', 'a part of the events is not');
select is(pg_temp.boundary('drop trigger append_only on striatumd.events'), 'audit_artifacts',
  'none of the events is');
select is(pg_temp.boundary('drop trigger append_only on striatumd.audit_log'), 'none',
  'without the audit log nothing counts');
select is(pg_temp.boundary('drop trigger append_only on striatumd.events;
  drop trigger append_only on striatumd.artifacts'), 'audit_only', 'neither of the two');

-- at the boundary
select is(pg_temp.boundary('create table striatumd.audit_log_2
  partition of striatumd.audit_log for values in (2)'), 'none', 'a new part that can be emptied');

select * from finish();
rollback;
