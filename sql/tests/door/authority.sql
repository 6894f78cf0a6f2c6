-- STR-AUTHZ-04: no artifact can be inserted and no row of the audit chain altered, neither without
-- the privilege (around.sql has the other tables) nor, by the login itself, without the secret.
-- STR-AUTHZ-06: without the serving daemon's secret no function does anything, not even for a
-- superuser.
begin;
select plan(12);

-- given
select tap.open_door();
-- What needs no secret: it reads nothing that is protected and writes nothing; bootstrap makes the
-- authority; a trigger function is never called.
-- The two checks count, and name nobody.
create temp view careless as select unnest(array['bootstrap_instance', 'check_effects',
  'check_tokens', 'new_id', 'now', 'refuse']) as name;
create temp view answers as
  select p.proname::text as name, tap.sqlstate_of(format('select striatumd.%I(%s)', p.proname,
           coalesce((select string_agg('null::' || format_type(t, null), ', ')
                       from unnest(p.proargtypes) t), ''))) as state
    from pg_proc p
   where p.pronamespace = 'striatumd'::regnamespace and p.provolatile <> 'i'
     and p.prorettype <> 'trigger'::regtype and p.proname not in (select name from careless)
     and not (p.provolatile = 's' and p.prosrc !~ concat('\mstriatumd\.(client|principal|command_|',
       'daemon_auth|effects)'));   -- writes nothing and reads nothing of anybody's
create temp view unguarded as select * from answers where state is distinct from '28000';

-- does
select cmp_ok((select count(*) from answers), '>', 15::bigint, 'there are functions to ask');
select is_empty('select * from unguarded', 'none answers without a secret');
select set_config('striatum.daemon_auth', encode('wrong', 'hex'), true);
select is_empty('select * from unguarded', 'none answers another');
select tap.authorize();
update striatumd.daemon_authority set digest = sha256('the next daemon''s');
select is_empty('select * from unguarded', 'none answers the one that served before');
delete from striatumd.daemon_authority;
select is_empty('select * from unguarded', 'none answers while nobody serves');

-- the way in with a password that leaked
select is(tap.sqlstate_of(format('select striatumd.call(%L, ''{}'')', secret),
  'striatumd_rw_' || current_database()), '28000', 'the door does not answer its own login either')
  from unnest(array[null, '']::bytea[]) as secret;

select is(tap.sqlstate_of(statement, 'striatumd_rw_' || current_database()), '42501', statement)
  from unnest(array['insert into striatumd.artifacts default values',
    'update striatumd.audit_log set method = ''x''']) as statement;
select isnt_empty($$ select from answers where name = 'artifact_publish' and state = '28000' $$,
  'and what inserts an artifact is among those that ask');

-- The checker, checked.
create function striatumd.planted() returns void language sql as $$
  insert into striatumd.principals values ('x', 'human', 'x', '2026-01-01Z') $$;
select is(array_agg(name), '{planted}', 'a function that does not ask is seen') from unguarded;

-- The trail of the attempts: none
select is_empty('select from striatumd.audit_log', 'nothing was appended');

select * from finish();
rollback;
