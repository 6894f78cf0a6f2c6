-- daemon.token.revoke: a token is taken back at once, and somebody can still administer.
begin;
select plan(29);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door();
create temp table app as select tap.repository('app') as id;
select tap.client('bob', '{read, write}'), tap.client('carol', '{read}'),
       tap.client('eve', '{admin}', id) from app;
insert into striatumd.client_sessions
select tap.client_id('bob'), 'sess_0123456789abcdef', id, '2026-01-01Z' from app;
insert into striatumd.principals values ('p-bob', 'human', 'Bob', '2026-01-01Z');
insert into striatumd.principal_clients (principal_id, client_id, linked_at)
values ('p-bob', tap.client_id('bob'), '2026-01-01Z');
create function pg_temp.revoke(p_whom text, p_client text default 'ada', p_more jsonb default '{}')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'daemon.token.revoke',
    jsonb_build_object('client_id', tap.client_id(p_whom)), '{}', p_more)
$$;
create temp view live as
  select c.display_name || ' '
           || coalesce(string_agg(g.capability::text, ',' order by g.capability), '-') as is
    from striatumd.clients c
    left join striatumd.client_capabilities g on g.client_id = c.client_id and g.revoked_at is null
   where c.revoked_at is null group by c.display_name;
create function pg_temp.live() returns text[] language sql as $$
  select array_agg("is" order by "is" collate "C") from live where "is" !~ '^ada'
$$;

-- refuses
select is(tap.ask('ada', 'daemon.token.revoke', '{"client_id": "client_0"}') -> 'error',
  '{"code": "client_unknown", "message": "there is no client client_0",
  "details": {"client_id": "client_0"}, "next": ["striatum token list"]}',
  'a client that there is not');
select is(tap.code(pg_temp.revoke('bob', who)), code, 'asked by ' || what)
  from (values ('carol', 'capability_missing', 'who is no administrator'),
    ('eve', 'capability_scope_mismatch', 'who is one of a repository alone'),
    ('bob', 'capability_denied', 'a session'), (null, 'token_missing', 'nobody')
  ) as asked (who, code, what);
select is(pg_temp.live(), '{"bob read,write","carol read","eve admin"}',
  'and nothing was taken back by that');

-- does
select is(pg_temp.revoke('bob') - 'audit_id', jsonb_build_object('ok', true, 'data',
  jsonb_build_object('client_id', tap.client_id('bob'), 'display_name', 'bob',
    'created_at', '2026-01-01T00:00:00.000000Z', 'expires_at', null,
    'revoked_at', '2026-11-30T10:00:00.000000Z', 'session_id', 'sess_0123456789abcdef',
    'principal_id', 'p-bob', 'grants', '[]'::jsonb, 'was_revoked', false),
  'effects', '[]'::jsonb, 'wakes', '[]'::jsonb), 'a client is revoked');
select is(tap.code(tap.ask('bob', 'repo.resolve', '{"path": "/srv/app"}')), 'token_revoked',
  'its token does nothing from then on');
select is(pg_temp.live(), '{"carol read","eve admin"}', 'its neighbours did not move');
select rows_are('select principal_id, client_id, unlinked_at from striatumd.principal_clients',
  $$ values ('p-bob', tap.client_id('bob'), null::timestamptz) $$,
  'what it did is still the principal''s: the link stays');
select is_empty('select * from striatumd.events', 'no repository has an event of it');
select ok(tap.holds('striatum:administrators'), 'administrators are looked at one at a time');

-- again
select set_config('striatum.test_now', '2026-11-30T11:00:00Z', true);
select is(pg_temp.revoke('bob') #> '{data,was_revoked}', 'true', 'once more is no fault');
select is(pg_temp.revoke('bob') #>> '{data,revoked_at}', '2026-11-30T10:00:00.000000Z',
  'and moves no instant');
select is(array_agg(distinct revoked_at), '{2026-11-30T10:00:00Z}', 'nor that of a grant')
  from striatumd.client_capabilities where client_id = tap.client_id('bob');

-- the last administrator
create temp table ada as select to_jsonb(c) as is from striatumd.clients c
 where display_name = 'ada';
create function pg_temp.is_last(p_text text) returns text language sql as $$
  select is(pg_temp.revoke('ada') -> 'error', jsonb_build_object('code', 'last_administrator',
    'message', format('%s is the last that can administer', tap.client_id('ada')),
    'details', jsonb_build_object('client_id', tap.client_id('ada')),
    'next', array[format('striatum token rotate %s', tap.client_id('ada')),
                  'striatum token create admin']), p_text)
$$;
select pg_temp.is_last('an administrator of one repository is none');
select tap.client('frank', '{admin, read}');
update striatumd.clients set expires_at = '2026-11-30T11:00:00Z' where display_name = 'frank';
select pg_temp.is_last('nor is one whose time is over');
update striatumd.clients set expires_at = null, revoked_at = '2026-11-30Z'
 where display_name = 'frank';
select pg_temp.is_last('nor one that was revoked');
update striatumd.clients set revoked_at = null where display_name = 'frank';
update striatumd.client_capabilities set revoked_at = '2026-11-30Z'
 where client_id = tap.client_id('frank') and capability = 'admin';
select pg_temp.is_last('nor one from whom it was taken back');
select is(to_jsonb(c), ada.is, 'so the last one stays') from striatumd.clients c, ada
 where display_name = 'ada';
select is(count(*), 8::bigint, 'with all that it holds') from striatumd.client_capabilities
 where client_id = tap.client_id('ada') and revoked_at is null;

-- at the boundary: another has a moment left
update striatumd.client_capabilities set revoked_at = null
 where client_id = tap.client_id('frank');
update striatumd.clients set expires_at = '2026-11-30T11:00:00.000001Z'
 where display_name = 'frank';
create temp table first as select tap.ask('ada', 'repo.add', '{"path": "/srv/new"}',
  tap.folder('/srv/new'), '{"request_id": "r-1"}') as reply;
select is(pg_temp.revoke('ada', 'ada', '{"request_id": "r-2"}') #>> '{data,revoked_at}',
  '2026-11-30T11:00:00.000000Z', 'then one may revoke itself');

-- around the door: what it was told before it is told again, and nothing else
select is(pg_temp.revoke('ada', 'ada', '{"request_id": "r-2"}') -> 'replayed', 'true',
  'it is told again that it was revoked');
select is(again - 'audit_id', (reply - 'audit_id')
    || '{"replayed": true, "effects_pending": false}', 'and what it did before')
  from first, tap.ask('ada', 'repo.add', '{"path": "/srv/new"}', tap.folder('/srv/new'),
    '{"request_id": "r-1"}') as again;
select is(tap.code(tap.ask('ada', 'repo.add', '{"path": "/srv/new"}', tap.folder('/srv/new'))),
  'token_revoked', 'under a new id it is refused');
select is(tap.code(tap.ask('ada', 'repo.list', '{}', '{}', '{"request_id": "r-1"}')),
  'token_revoked', 'so is a read under the old one');
select is(tap.code(tap.ask('carol', 'repo.list', '{}')), 'ok', 'others go on');
select is(tap.code(pg_temp.revoke('carol', 'frank')), 'ok', 'the other administers');
select is(pg_temp.revoke('frank', 'frank') #>> '{error,code}', 'last_administrator',
  'and is the last now');

select * from finish();
rollback;
