-- The same request again: its stored reply, and nothing is done twice.
begin;
select plan(37);

-- given
select tap.open_door();
select tap.client('bob', '{write}');
create temp table app as select tap.repository('app') as id;
select tap.plant('test.enter', '{"changes": true, "capability": "write", "lane": true}', $$
  insert into striatumd.principals
  values ('p' || (select count(*) from striatumd.principals), 'human', 'x', p_call.at);
  return striatumd.decided(p, '[]', coalesce(p_call.observed -> 'effects', '[]')); $$);
select tap.plant('test.other', '{"changes": true, "capability": "write"}');
select tap.plant('test.give_up', '{"changes": true, "capability": "write"}', $$
  return row(null, striatumd.refusal('symlink_refused', 'no', '{}', '{x}'), '[]', '[]',
    '[]', null)::striatumd.decision; $$);
select tap.plant('test.refuse', '{"changes": true, "capability": "write"}', $$
  perform striatumd.refuse('repo_git_missing', 'no', '{}', '{x}'); $$);
select tap.plant('test.read', '{"capability": "write"}');
select tap.plant('test.mint',
  '{"changes": true, "capability": "write", "observers": ["minted_secret"]}', $$
  if p ? 'lasting' then
    return row(null, striatumd.refusal('symlink_refused', 'no', '{}', '{x}'), '[]', '[]',
      '[]', null)::striatumd.decision;
  end if;
  return striatumd.decided('{"client_id": "client_1"}', '[]', '[]'); $$);
create function pg_temp.again(p_client text, p_method text, p_params jsonb default '{"a": 1}',
    p_request text default 'r-1', p_observed jsonb default '{}', p_phase text default 'decide')
  returns jsonb language sql as $$
  select tap.ask(p_client, p_method, p_params, p_observed,
    jsonb_build_object('request_id', p_request, 'phase', p_phase))
$$;
create temp view entered as select count(*)::int as n from striatumd.principals;

-- does
create temp table first as select pg_temp.again('ada', 'test.enter') as reply;
select is(reply -> 'replayed', null, 'the first reply says nothing of a replay') from first;
create temp table second as select pg_temp.again('ada', 'test.enter') as reply;
select is(reply, '{"ok": true, "data": {"a": 1}, "replayed": true, "effects_pending": false,
  "effects": [], "wakes": [], "audit_id": "2"}', 'the second is the first''s, marked') from second;
select is(n, 1, 'and nothing was done again') from entered;
select rows_are('select audit_id, method, decision::text, request_id from striatumd.audit_log',
  $$ values (1::bigint, 'test.enter', 'allowed', 'r-1'), (2, 'test.enter', 'allowed', 'r-1') $$,
  'each of the two is on record');
select ok(tap.holds(format('striatum:request:%s:r-1', tap.client_id('ada'))),
  'the request was locked: two of a kind take turns');
select is(pg_temp.again('ada', 'test.enter', '{"a": 1}', 'r-1', '{"salt": "other"}') -> 'replayed',
  'true', 'what was observed for it makes no other request of it');
select is(pg_temp.again('ada', 'test.enter', '{"a": 1}', 'r-1', '{}', 'preflight') -> 'replayed',
  'true', 'a preflight finds it as well');

-- another request
select is(pg_temp.again('ada', method, params) -> 'error', '{"code": "duplicate_request",
  "message": "request id r-1 was used for another request",
  "details": {"request_id": "r-1", "method": "test.enter"},
  "next": ["the same request with a new request_id"]}', 'under a used id there is no ' || what)
  from (values ('test.enter', '{"a": 2}'::jsonb, 'other parameter'),
    ('test.enter', '{}', 'request with less'), ('test.enter', '{"a": 1, "b": 1}', 'one with more'),
    ('test.other', '{"a": 1}', 'other method')) as other (method, params, what);
select is(denial_reason, 'duplicate_request', 'which is on record') from striatumd.audit_log
 order by audit_id desc limit 1;
select is(tap.code(pg_temp.again('ada', 'test.read')), 'ok', 'a read has no reply to find');
select is(pg_temp.again('bob', 'test.enter') -> 'replayed', null,
  'the same id of another client is a request of its own');
select is(pg_temp.again('ada', 'test.enter', '{"a": 1}', 'r-2') -> 'replayed', null,
  'and so is another id');
select is(n, 3, 'each was done') from entered;

-- a refusal that lasts is kept, one that does not is decided afresh
select is(tap.code(pg_temp.again('ada', 'test.give_up', '{}', 'r-3')), 'symlink_refused',
  'a lasting refusal');
select is(pg_temp.again('ada', 'test.give_up', '{}', 'r-3') - 'audit_id', '{"ok": false, "error": {
  "code": "symlink_refused", "message": "no", "details": {}, "next": ["x"]}, "replayed": true,
  "effects_pending": false, "effects": [], "wakes": []}', 'is kept and told again');
select is(decision::text || ' ' || exit_code, 'denied 6', 'on record as a refusal each time')
  from striatumd.audit_log order by audit_id desc limit 1;
select is(tap.code(pg_temp.again('ada', 'test.refuse', '{}', 'r-4')), 'repo_git_missing',
  'one that undid everything');
select is(pg_temp.again('ada', 'test.refuse', '{}', 'r-4') -> 'replayed', null,
  'is decided afresh');
select is(tap.code(pg_temp.again('ada', 'test.enter', '{}', 'r-4')), 'ok', 'its id is free');

-- effects
select is(jsonb_array_length(pg_temp.again('ada', 'test.enter', '{}', 'r-5',
  '{"effects": [{"kind": "thing_there", "args": {}}]}') -> 'effects'), 1, 'a reply with an effect');
select is(pg_temp.again('ada', 'test.enter', '{}', 'r-5') - 'audit_id', '{"ok": true, "data": {},
  "replayed": true, "effects_pending": true, "effects": [], "wakes": []}',
  'is told again as not finished yet');
update striatumd.effects set state = 'failed', attempts = 1, problem = 'no';
select is(pg_temp.again('ada', 'test.enter', '{}', 'r-5') -> 'effects_pending', 'true',
  'also after a failed attempt');
update striatumd.effects set state = 'done', attempts = 2, finished_at = '2026-11-30Z';
select is(pg_temp.again('ada', 'test.enter', '{}', 'r-5') -> 'effects_pending', 'false',
  'once it is done it is finished');

-- a secret is given out once
select is(pg_temp.again('ada', 'test.mint', '{}', 'r-6') #>> '{data,client_id}', 'client_1',
  'a reply to which the daemon joined a secret');
select is(pg_temp.again('ada', 'test.mint', '{}', 'r-6') -> 'error', '{
  "code": "secret_already_issued", "message":
  "this request was answered with a secret, which nobody has kept",
  "details": {"client_id": "client_1"}, "next": ["striatum token rotate client_1"]}',
  'is not told again');
select is(tap.code(pg_temp.again('ada', 'test.mint', '{"a": 2}', 'r-6')), 'duplicate_request',
  'and another request is still another');
select is(tap.code(pg_temp.again('ada', 'test.mint', '{"lasting": 1}', 'r-7')), 'symlink_refused',
  'where none was minted');
select is(pg_temp.again('ada', 'test.mint', '{"lasting": 1}', 'r-7') -> 'replayed', 'true',
  'there is nothing to hold back');

-- at the boundary: what was allowed once is answered although it would not be now
update striatumd.clients set revoked_at = '2026-11-30Z', expires_at = '2026-11-30Z'
 where display_name = 'ada';
delete from striatumd.client_capabilities where client_id = tap.client_id('ada');
insert into striatumd.client_sessions
select tap.client_id('ada'), 'sess_0123456789abcdef', id, '2026-01-01Z' from app;
select is(pg_temp.again('ada', 'test.enter') -> 'replayed', 'true',
  'a client that was revoked gets its own reply');
select is(tap.code(pg_temp.again('ada', 'test.enter', '{"a": 2}')), 'duplicate_request',
  'nothing else under that id');
select is(tap.code(pg_temp.again('ada', 'test.enter', '{"a": 1}', 'r-8')), 'token_revoked',
  'and no new request');
select is(tap.code(tap.ask('ada', 'test.enter', '{"a": 1}', '{}', jsonb_build_object('request_id',
  'r-1', 'token', jsonb_build_object('client_id', tap.client_id('ada'), 'secret', 'bob')))),
  'token_invalid', 'who does not prove to be the client gets nothing');
insert into striatumd.principals values ('new', 'human', 'x', '2026-01-01Z');
insert into striatumd.principal_clients (principal_id, client_id, linked_at)
values ('new', tap.client_id('ada'), '2026-01-01Z');
select is(tap.code(pg_temp.again('ada', 'test.enter')), 'duplicate_request',
  'nor who speaks for another principal now');
select is(count(*), 0::bigint, 'no reply is kept of a read') from striatumd.command_requests
 where method = 'test.read';

select * from finish();
rollback;
