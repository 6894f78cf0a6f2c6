-- Whether a known client may do what it asks for.
-- STR-PRINCIPAL-06: not on a repository that was not granted.
-- STR-PRINCIPAL-07: a session's token acts as its own session alone.
begin;
select plan(53);

-- given
select tap.open_door();
create temp table at as select tap.repository('app') as app, tap.repository('other') as other;
select tap.client('bob', '{read}');
select tap.client('app', '{read, claim}', app) from at;
select tap.client('lane', '{read, claim}');
insert into striatumd.client_sessions
select tap.client_id('lane'), 'sess_0123456789abcdef', app, '2026-01-01Z' from at;
insert into striatumd.principals values ('h', 'human', 'H', '2026-01-01Z'),
  ('a', 'ai_operator', 'A', '2026-01-01Z'), ('s', 'service', 'S', '2026-01-01Z');
select tap.client(kind, '{read}') from unnest(array['human', 'ai', 'service', 'unlinked']) as kind;
insert into striatumd.principal_clients (principal_id, client_id, linked_at, unlinked_at)
values ('h', tap.client_id('human'), '2026-01-01Z', null),
       ('a', tap.client_id('ai'), '2026-01-01Z', null),
       ('s', tap.client_id('service'), '2026-01-01Z', null),
       ('h', tap.client_id('unlinked'), '2026-01-01Z', '2026-01-02Z');
select tap.plant('test.global'), tap.plant('test.write', '{"capability": "write"}'),
       tap.plant('test.here', '{"scope": "single_repo"}'),
       tap.plant('test.claim', '{"scope": "single_repo", "capability": "claim", "lane": true}'),
       tap.plant('test.human', '{"human_only": true}');
create function pg_temp.code(p_client text, p_method text, p_params jsonb default '{}') returns text
  language sql as $$ select tap.code(tap.ask(p_client, p_method, p_params)) $$;
create function pg_temp.in(p_client text, p_method text, p_repository text) returns text
  language sql as $$
  select pg_temp.code(p_client, p_method, jsonb_build_object('repository_id', p_repository))
$$;

-- the token
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select is(pg_temp.code('bob', 'test.global'), 'ok', 'a token that is neither revoked nor over');
update striatumd.clients set expires_at = '2026-11-30T10:00:00.000001Z' where display_name = 'bob';
select is(pg_temp.code('bob', 'test.global'), 'ok', 'one that ends in a moment');
update striatumd.clients set expires_at = '2026-11-30T10:00:00Z' where display_name = 'bob';
select is(tap.ask('bob', 'test.global', '{}') -> 'error', jsonb_build_object(
  'code', 'token_expired', 'message', format('the token of %s has expired', tap.client_id('bob')),
  'details', jsonb_build_object('client_id', tap.client_id('bob'),
    'expires_at', '2026-11-30T10:00:00.000000Z'),
  'next', array[format('striatum token rotate %s, by an administrator', tap.client_id('bob'))]),
  'one whose time is over at this instant');
update striatumd.clients set revoked_at = '2026-11-30T09:00:00Z' where display_name = 'bob';
select is(tap.ask('bob', 'test.global', '{}') -> 'error', jsonb_build_object(
  'code', 'token_revoked', 'message', format('the token of %s was revoked', tap.client_id('bob')),
  'details', jsonb_build_object('client_id', tap.client_id('bob'),
    'revoked_at', '2026-11-30T09:00:00.000000Z'),
  'next', '["striatum token create CAPABILITY, by an administrator"]'::jsonb),
  'one that was revoked');
select is(pg_temp.code('ada', 'test.global'), 'ok', 'its neighbour goes on');
update striatumd.clients set revoked_at = null, expires_at = null;

-- the capability
select is(pg_temp.code('ada', 'test.write'), 'ok', 'who holds it may');
select is(tap.ask('bob', 'test.write', '{}') -> 'error', '{"code": "capability_missing",
  "message": "test.write needs the capability write", "details": {"capability": "write"},
  "next": ["striatum token create write, by an administrator"]}', 'who does not may not');
update striatumd.client_capabilities set revoked_at = '2026-11-30Z'
 where client_id = tap.client_id('ada') and capability = 'write';
select is(pg_temp.code('ada', 'test.write'), 'capability_missing', 'nor whose was taken back');
select is(pg_temp.code('ada', 'test.global'), 'ok', 'the others stay');

-- and where it holds
select is(pg_temp.in('app', 'test.here', app), 'ok', 'granted for this repository') from at;
select is(tap.ask('app', 'test.here', jsonb_build_object('repository_id', other)) -> 'error',
  jsonb_build_object('code', 'capability_scope_mismatch', 'message',
    format('this token''s read does not hold for %s', other), 'details',
    jsonb_build_object('capability', 'read', 'repository_id', other),
    'next', array['striatum token create read, by an administrator']),
  'and not for that one') from at;
select is(pg_temp.in('app', 'test.here', 'repo_0000000000000000'), 'capability_scope_mismatch',
  'nor for one that there is not: nothing is told of it');
select is(pg_temp.code('app', 'test.here'), 'capability_scope_mismatch', 'nor for none');
select is(pg_temp.code('app', 'test.write'), 'capability_missing',
  'what it holds nowhere is missing');
select is(pg_temp.code('app', 'test.global'), 'ok', 'to read, one repository is enough');
select tap.plant('test.claim_any', '{"capability": "claim"}');
select is(pg_temp.code('app', 'test.claim_any'), 'capability_scope_mismatch',
  'for all else of the daemon''s it is not');
select is(pg_temp.in('ada', 'test.here', other), 'ok',
  'granted for all, it holds for each') from at;
select is(tap.ask('ada', 'test.here', '{"repository_id": "repo_0000000000000000"}') -> 'error',
  '{"code": "repo_not_registered", "message": "there is no such repository", "details":
  {"repository_id": "repo_0000000000000000"},
  "next": ["striatum repo list", "striatum repo add PATH --init"]}', 'but one that there is not');
select is(pg_temp.code('ada', 'test.here'), 'repo_not_registered', 'nor without any');

-- the session
select is(pg_temp.code('lane', 'test.claim'), 'ok', 'a session''s token names no repository');
select is(pg_temp.in('lane', 'test.claim', app), 'ok', 'or its own') from at;
select is(pg_temp.in('lane', 'test.claim', id), 'capability_scope_mismatch', 'not another: ' || id)
  from at, unnest(array[other, 'repo_0000000000000000']) as id;
select is(pg_temp.code('lane', 'test.claim', '{"session_id": "sess_0123456789abcdef"}'), 'ok',
  'it acts as its own session');
select is(tap.ask('lane', 'test.claim', jsonb_build_object('session_id', id)) -> 'error', '{
  "code": "capability_denied", "message": "this token acts as session sess_0123456789abcdef alone",
  "details": {"session_id": "sess_0123456789abcdef"},
  "next": ["the same request with that session''s own token"]}', 'and as no other: ' || id)
  from unnest(array['sess_0123456789abcde0', '', 'SESS_0123456789ABCDEF']) as id;
select is(pg_temp.code('ada', 'test.claim', jsonb_build_object('repository_id', app,
  'session_id', 'sess_0123456789abcdef')), 'ok', 'an operator may act for it') from at;
select is(tap.ask('lane', name, '{}') -> 'error', jsonb_build_object('code', 'capability_denied',
  'message', format('%s is not for a session''s token', name), 'details',
  '{"session_id": "sess_0123456789abcdef"}'::jsonb,
  'next', array['the same request with an operator''s token']),
  'what is no lane''s is not: ' || name)
  from unnest(array['test.here', 'test.global']) as name;
select is(tap.after(format($$ update striatumd.clients set revoked_at = '2026-11-30T09:00:00Z'
    where client_id = %L $$, tap.client_id('lane')),
  $$ select tap.ask('lane', 'test.claim', '{}') -> 'error' $$)::jsonb, jsonb_build_object('code',
  'token_revoked', 'message', 'session sess_0123456789abcdef has ended, and its token with it: '
    'there is nothing left to do for it', 'details', jsonb_build_object('client_id',
    tap.client_id('lane'), 'session_id', 'sess_0123456789abcdef', 'revoked_at',
    '2026-11-30T09:00:00.000000Z'), 'next',
    '["striatum why sess_0123456789abcdef, by an operator"]'::jsonb),
  'one whose session has ended is told so');
delete from striatumd.client_sessions;
select is(pg_temp.in('lane', 'test.here', other), 'ok', 'bound to none it is as any other') from at;

-- human
select is(pg_temp.code('human', 'test.human'), 'ok', 'what is for humans is for a human');
select is(tap.ask(client, 'test.human', '{}') -> 'error', '{"code": "principal_not_human",
  "message": "test.human is for a human principal", "details": {},
  "next": ["the same request with a token of a human principal"]}', 'not for ' || client)
  from unnest(array['ai', 'service', 'unlinked', 'ada']) as client;

-- what names the run
select tap.run_stage(), tap.session('one', 'author');
select tap.plant('test.' || class, jsonb_build_object('scope', 'single_repo', 'lock_class', class))
  from unnest(array['run', 'repository_run', 'session', 'job', 'blocker', 'supervisor']) as class;
select is(tap.ask('ada', 'test.' || class, jsonb_build_object('repository_id', app, named || '_id',
    'x')) -> 'error', jsonb_build_object('code', named || '_not_found', 'message',
    format('there is no such %s in this repository', named), 'details',
    jsonb_build_object(named || '_id', 'x'), 'next', '["striatum list runs",
    "striatum status"]'::jsonb), class || ' is not there')
  from at, lateral (values ('run', 'run'), ('repository_run', 'run'), ('session', 'session'),
    ('job', 'job'), ('blocker', 'blocker'), ('supervisor', 'supervisor')) as c (class, named);
select is(pg_temp.code('ada', 'test.session', jsonb_build_object('repository_id', app, 'session_id',
  tap.id('sess', 'one'))), 'ok', 'a session that is there') from at;
select is(pg_temp.code('app', 'test.session', jsonb_build_object('repository_id', other)),
  'capability_scope_mismatch', 'who holds nothing there does not learn that it is not') from at;

-- in every phase
select is(tap.code(tap.ask('bob', 'test.write', '{}', '{}', jsonb_build_object('phase', phase))),
  'capability_missing', 'also where the phase is ' || phase)
  from unnest(array['preflight', 'decide', 'record', '']) as phase;

-- of several reasons the first is told
update striatumd.clients
   set revoked_at = '2026-11-30T09:00:00Z', expires_at = '2026-11-30T09:00:00Z'
 where display_name = 'bob';
select is(pg_temp.code('bob', 'test.write'), 'token_revoked', 'revoked goes before over');
select is(tap.code(tap.ask('bob', 'test.unknown', '{}')), 'method_unknown',
  'and who may do nothing learns no less than others');
select is((select count(*) from striatumd.audit_log where decision = 'denied')
  + (select count(*) from striatumd.audit_log where decision = 'allowed'),
  (select max(audit_id) from striatumd.audit_log), 'each of these is on record');

-- around
select throws_ok($$ select striatumd.denied(null, null, null) $$, '28000',
  'daemon_authority_missing', 'nobody is told without the daemon''s secret');

select * from finish();
rollback;
