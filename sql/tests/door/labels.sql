-- STR-AUTHZ-09: labels say who asked, to whoever looks at the log. Nobody is asked for them: to set
-- one opens nothing, and no policy on rows is what keeps anybody out.
begin;
select plan(17);

-- given
select tap.open_door();
create temp table app as select tap.repository('app') as id;
select tap.client('bob', '{claim}'), tap.client('lane', '{read, claim}', id) from app;
insert into striatumd.client_sessions
select tap.client_id('lane'), 'sess_0123456789abcdef', id, '2026-01-01Z' from app;
insert into striatumd.principals values ('ada', 'human', 'Ada', '2026-01-01Z');
insert into striatumd.principal_clients (principal_id, client_id, linked_at)
values ('ada', tap.client_id('ada'), '2026-01-01Z');
select tap.plant('test.human', '{"human_only": true, "capability": "claim"}'),
       tap.plant('test.claim', '{"scope": "single_repo", "capability": "claim", "lane": true}');
create function pg_temp.label(p_principal text, p_session text) returns void language sql as $$
  select set_config('striatum.principal_id', p_principal, true),
         set_config('app.session_id', p_session, true),
         set_config('striatum.rpc_id', 'r-1', true)
$$;

-- does: with the labels of an administrator, or of a session, nobody is let in who was not
select pg_temp.label('ada', 'sess_0123456789abcde0');
select is(tap.code(tap.ask(who, method, params)), code, what)
  from (values (null, 'repo.list', '{}'::jsonb, 'token_missing', 'nobody is not taken for ada'),
    ('bob', 'repo.list', '{}', 'capability_missing', 'nor is bob'),
    ('bob', 'test.human', '{}', 'principal_not_human', 'who is no human by it'),
    ('lane', 'test.claim', '{"session_id": "sess_0123456789abcde0"}', 'capability_denied',
     'a session stays its own'),
    ('lane', 'repo.list', '{}', 'capability_denied', 'and a session')
  ) as asked (who, method, params, code, what);
select pg_temp.label('', '');
select is(tap.code(tap.ask('lane', 'repo.list', '{}')), 'capability_denied',
  'also where the labels are empty');
select pg_temp.label('mallory', 'sess_0123456789abcde0');
select is(tap.code(tap.ask('ada', 'test.human', '{}')), 'ok',
  'with those of another nobody is kept out');
select rows_are('select principal_id, session_id from striatumd.audit_log
    order by audit_id desc limit 1', $$ values ('ada', null::text) $$,
  'and on record stands what was proven');

-- around: the runtime login may set them as it likes
select pg_temp.label('ada', 'sess_0123456789abcdef');
select is(tap.sqlstate_of(statement, 'striatumd_rw'), '42501', 'it opens nothing: ' || statement)
  from unnest(array['select from striatumd.clients', 'select from striatumd.events',
    'delete from striatumd.client_sessions', 'select striatumd.may_read(null, null)']) as statement;
select is(tap.sqlstate_of($$ select striatumd.call('wrong', '{"method": "repo.list"}') $$,
  'striatumd_rw'), '28000', 'nor the door');

-- no function decides by a label, and no row is kept back by a policy
create temp view reading as
  select proname::text as name from pg_proc where pronamespace = 'striatumd'::regnamespace
     and prosrc ~ 'current_setting\(\s*''(striatum\.principal_id|striatum\.rpc_id|app\.)';
select is_empty('select * from reading', 'no function reads a label');
select is_empty('select polname from pg_policy', 'no table has a policy');
select is_empty($$ select relname from pg_class where relnamespace = 'striatumd'::regnamespace
    and relrowsecurity $$, 'or waits for one');
create function striatumd.planted() returns text language sql as $$
  select current_setting('striatum.principal_id')
$$;
select isnt_empty('select * from reading where name = ''planted''', 'the rule sees one that does');

select * from finish();
rollback;
