-- doctor, runtime_role: the runtime login is another role than the owner.
-- STR-AUTHZ-18: where they are the same, doctor says that rotation is inert.
begin;
select plan(11);

-- given: roles are the whole server's, so each name here is of this database
create temp table at as select 'striatumd_rw_' || current_database() as login,
  'between_' || current_database() as between;
create function pg_temp.after(p_statement text) returns jsonb language sql as $$
  select tap.after(replace(replace(p_statement, ':login', login), ':between', between),
    'select striatumd.check_runtime_role()')::jsonb from at
$$;

-- does
select is(striatumd.check_runtime_role(), '{"plane": "provenance", "name": "runtime_role",
  "ok": true, "message":
  "the runtime login is not the owner: a new password shuts out who had the one before",
  "affected": [], "next": []}', 'as installed');
select is(pg_temp.after('grant striatum_owner to :login'), jsonb_build_object('plane', 'provenance',
  'name', 'runtime_role', 'ok', false,
  'message', 'rotation is inert: the runtime login can do what the owner can, with any password',
  'affected', jsonb_build_array(login || ' is a member of striatum_owner'),
  'next', '["striatum db plan", "striatum db apply"]'::jsonb), 'a member of the owner') from at;
select is(pg_temp.after('create role :between; grant striatum_owner to :between;
    grant :between to :login') -> 'affected',
  jsonb_build_array(login || ' is a member of striatum_owner'), 'by way of another role') from at;
select is(pg_temp.after('alter role :login superuser') -> 'affected',
  jsonb_build_array(login || ' is a member of striatum_owner'), 'whoever may do everything')
  from at;
select is(pg_temp.after(format('alter %s owner to :login', what)) -> 'affected',
  jsonb_build_array(format('%s owns %s', login, said)), 'the owner of ' || said) from at, (values
  ('table striatumd.audit_log_1', 'striatumd.audit_log_1'),
  ('view striatumd.audit_chain_head', 'striatumd.audit_chain_head'),
  ('function striatumd.now()', 'striatumd.now()'),
  ('type striatumd.capability', 'type striatumd.capability')) as things (what, said);
select is(pg_temp.after('alter table striatumd.events owner to striatumd_rw') -> 'affected',
  '["striatumd_rw owns striatumd.events"]', 'or its group is');
select is(pg_temp.after('alter function striatumd.now() owner to :login;
    grant striatum_owner to :login') -> 'affected',
  jsonb_build_array(login || ' is a member of striatum_owner', login || ' owns striatumd.now()'),
  'all is named') from at;

-- at the boundary
select is(pg_temp.after('create role :between; grant striatum_owner to :between') -> 'ok', 'true',
  'others may be members of the owner');

select * from finish();
rollback;
