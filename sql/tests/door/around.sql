-- Around the door there is no way: not for the runtime login, and not for the one that bootstraps.
-- STR-READSCOPE-02, STR-READSCOPE-03: who is who cannot be read, neither whole nor by column.
-- STR-READSCOPE-04: what may be read comes through the door, and only with the daemon's secret.
begin;
select plan(30);

-- given: a door that works, and two logins, the second of which may bootstrap
select tap.open_door();
create temp table logins as
  select unnest(array['striatumd_rw', 'striatumd_rw_' || current_database()]) as login,
         'call' as may
  union all select 'striatum_bootstrap', 'bootstrap_instance';
create temp view functions as
  select p.oid, p.proname::text as name, format('select striatumd.%I(%s %s)', p.proname,
           case when p.provariadic <> 0 then 'variadic' end,
           coalesce((select string_agg('null::' || format_type(t, null), ', ')
                       from unnest(p.proargtypes) t), '')) as statement
    from pg_proc p where p.pronamespace = 'striatumd'::regnamespace;
create temp view tables as
  select c.oid, c.relname::text as name, c.relkind, a.attname as one_column
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
   where c.relnamespace = 'striatumd'::regnamespace and c.relkind in ('r', 'p', 'v', 'S');
create temp view open_functions as
  select login, may, name from logins, functions
   where tap.sqlstate_of(statement, login) is distinct from '42501';
create temp view open_tables as
  select login, format(statement, name, one_column) as statement
    from logins, tables, (values ('select * from striatumd.%1$I'),
      ('select %2$I from striatumd.%1$I'), ('select count(*) from striatumd.%1$I'),
      ('insert into striatumd.%1$I default values'), ('update striatumd.%1$I set %2$I = default'),
      ('delete from striatumd.%1$I'), ('truncate striatumd.%1$I'),
      ('lock striatumd.%1$I'), ('drop table striatumd.%1$I'),
      ('select * from striatumd.%1$I for update')) as tried (statement)
   where tap.sqlstate_of(format(statement, name, one_column), login) is distinct from '42501'
     and (relkind in ('r', 'p') or relkind = 'v' and statement like 'select%' or
          relkind = 'S' and statement like 'select *%' and statement not like '%update');

-- does
select is(name, may, format('of all functions %s reaches %s alone', login, may))
  from open_functions;
select is((select count(*) from open_functions), (select count(*) from logins), 'and that is all');
select cmp_ok((select count(*) from functions), '>', 30::bigint, 'of many');
select is_empty('select * from open_tables', 'none reads, writes, locks or drops any table');
select cmp_ok((select count(*) from tables where relkind in ('r', 'p')), '>', 12::bigint,
  'of many');

-- knowing the secret changes nothing of it
select tap.authorize();
select is((select count(*) from open_functions where name <> may), 0::bigint,
  'who knows the secret reaches no function more');
select is_empty('select * from open_tables', 'nor any table');
select set_config('striatum.daemon_auth', '', true);

-- who is who
select is(relowner::regrole::text, 'striatum_owner', relname || ' is the owner''s') from pg_class
 where oid in ('striatumd.principals'::regclass, 'striatumd.client_sessions'::regclass,
   'striatumd.principal_clients'::regclass);
select is(tap.sqlstate_of(statement, 'striatumd_rw_' || current_database()), '42501',
  'the login is refused: ' || statement)
  from unnest(array['select principal_id from striatumd.principals',
    'select session_id from striatumd.client_sessions',
    'select principal_id from striatumd.principal_clients',
    'select token_hash from striatumd.clients']) as statement;

-- the door itself, for the login
create function pg_temp.call(p_secret bytea, p_method text) returns text language sql as $$
  select format('select striatumd.call(%L, %L)', p_secret, jsonb_build_object('method', p_method,
    'transport', 'internal', 'phase', 'decide', 'request_id', 'r-1'))
$$;
select is(tap.sqlstate_of(pg_temp.call(repeat('secret', 6)::bytea, 'effect.due'), login), null,
  login || ' asks with the secret') from logins where may = 'call';
select is(tap.sqlstate_of(pg_temp.call(secret, 'effect.due'), login), '28000',
  format('%s does not with %s', login, coalesce(secret::text, 'none')))
  from logins, unnest(array[null, '', '\x00']::bytea[]) as secret where may = 'call';
select is(p.prosecdef::text || ' ' || p.proowner::regrole, 'true striatum_owner',
  'the door is the owner''s, and runs as the owner') from pg_proc p
 where p.oid = 'striatumd.call(bytea, jsonb)'::regprocedure;

-- The checkers, checked.
grant execute on function striatumd.now() to striatumd_rw;
select isnt_empty($$ select * from open_functions where name = 'now' and login = 'striatumd_rw' $$,
  'a function''s rule that sees');
grant select (client_id) on striatumd.client_sessions to striatum_bootstrap;
select isnt_empty($$ select * from open_tables where statement ~ 'client_sessions' $$,
  'a column''s rule that sees');
grant truncate on striatumd.events_1 to striatumd_rw;
select isnt_empty($$ select * from open_tables where statement ~ 'truncate striatumd.events_1' $$,
  'a partition''s rule that sees');

-- With a leaked password and no secret: nothing was written by any of this.
select is((select count(*) from striatumd.audit_log), 0::bigint, 'nothing was appended');
select is((select count(*) from striatumd.principals), 0::bigint, 'nobody was made');

select * from finish();
rollback;
