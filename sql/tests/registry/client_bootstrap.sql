-- client.bootstrap: the first client, and no second one in this way.
begin;
select plan(21);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door();
create function pg_temp.bootstrap(p_more jsonb default '{}') returns jsonb language sql as $$
  select tap.ask(null, 'client.bootstrap', '{}', tap.minted('the-first-secret'),
    '{"transport": "internal"}' || p_more)
$$;

-- refuses
select is(pg_temp.bootstrap() -> 'error', '{"code": "clients_present",
  "message": "there are clients already", "details": {}, "next": ["striatumd token recover"]}',
  'where there is a client');
update striatumd.clients set revoked_at = '2026-11-30T09:00:00Z';
select is(tap.code(pg_temp.bootstrap()), 'clients_present', 'also one that was revoked');
select rows_are('select client_id from striatumd.clients', array[tap.client_id('ada')],
  'and none was made');
delete from striatumd.client_capabilities;
delete from striatumd.clients;
select is(tap.code(pg_temp.bootstrap(jsonb_build_object('transport', name))), 'method_unknown',
  'there is no such method for who comes over ' || name)
  from unnest(array['rpc', 'mcp', 'web']) as name;
select is(count(*), 0::bigint, 'and none was made by that') from striatumd.clients;

-- does
select is(pg_temp.bootstrap('{"phase": "preflight"}'), '{"ok": true,
  "observe": {"minted_secret": {}}}', 'the daemon is asked for the digest of a secret');
create temp table first as select pg_temp.bootstrap('{"request_id": "r-1"}') as reply;
select matches(reply #>> '{data,client_id}', '^client_[0-9a-f]{16}$', 'a client is made')
  from first;
select is((reply #- '{data,client_id}') - 'audit_id',
  '{"ok": true, "data": {}, "effects": [], "wakes": []}', 'and nothing else is told') from first;
select rows_are('select client_id, display_name, token_hash, token_salt, created_at, expires_at,
    revoked_at from striatumd.clients',
  $$ select reply #>> '{data,client_id}', 'first administrator',
            sha256('the-first-secretpepperpepperpepper'), 'pepperpepperpepper'::bytea,
            '2026-11-30T10:00:00Z'::timestamptz, null::timestamptz, null::timestamptz
       from first $$, 'of the observed digest, without an end');
select rows_are('select capability::text from striatumd.client_capabilities
    where repository_id is null and revoked_at is null order by client_capabilities.capability',
  array['read', 'write', 'review', 'claim', 'apply', 'admin', 'recovery', 'surgical_recovery'],
  'that may do everything everywhere');
select is(count(*), 8::bigint, 'each granted once') from striatumd.client_capabilities;
select is_empty('select * from striatumd.principal_clients', 'it belongs to nobody yet');
select is_empty('select * from striatumd.events', 'no repository has an event of it');
select rows_are($$ select client_id, transport::text, decision::text from striatumd.audit_log
    order by audit_id desc limit 1 $$,
  $$ values ('striatumd-i-1', 'internal', 'allowed') $$, 'it is on record as the daemon''s doing');
select is(tap.code(tap.ask(null, 'daemon.token.list', '{}', '{}',
  tap.token(reply #>> '{data,client_id}', 'the-first-secret'))), 'ok', 'its token administers')
  from first;
select is(tap.code(tap.ask(null, 'daemon.token.list', '{}', '{}',
  tap.token(reply #>> '{data,client_id}', 'another-secret'))), 'token_invalid',
  'by its secret alone') from first;

-- again
select is(pg_temp.bootstrap('{"request_id": "r-1"}') #>> '{error,code}', 'secret_already_issued',
  'the same request is not answered with a secret twice');
select is(tap.code(pg_temp.bootstrap()), 'clients_present', 'nor is another');
select is(count(*), 1::bigint, 'there is one client') from striatumd.clients;

select * from finish();
rollback;
