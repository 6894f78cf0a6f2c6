-- client.recover: a new administrator, whoever there is already.
begin;
select plan(10);

-- given
select tap.open_door();
create function pg_temp.recover(p_more jsonb default '{}') returns jsonb language sql as $$
  select tap.ask(null, 'client.recover', '{}', jsonb_build_object('minted_secret',
    jsonb_build_object('salt', repeat('5a', 32),
      'hash', encode(sha256('a new secret'::bytea || decode(repeat('5a', 32), 'hex')), 'hex'))),
    '{"transport": "internal"}' || p_more)
$$;
create function pg_temp.hello(p_client_id text) returns jsonb language sql as $$
  select tap.ask(null, 'repo.add', '{"path": "/srv/app"}', tap.folder('/srv/app'),
    jsonb_build_object('token',
      jsonb_build_object('client_id', p_client_id, 'secret', 'a new secret')))
$$;

-- does
create temp table recovered as select pg_temp.recover() as reply;
select is(tap.code(reply), 'ok', 'there is a client already, and it is made all the same')
  from recovered;
select rows_are(
  $$ select display_name, expires_at, revoked_at from striatumd.clients, recovered
      where client_id = reply #>> '{data,client_id}' $$,
  $$ values ('recovered administrator', null::timestamptz, null::timestamptz) $$,
  'a client without an end');
select set_eq(
  $$ select capability, repository_id from striatumd.client_capabilities, recovered
      where client_id = reply #>> '{data,client_id}' $$,
  $$ select unnest(enum_range(null::striatumd.capability)), null::text $$,
  'that may do everything everywhere');
select is(tap.code(pg_temp.hello(reply #>> '{data,client_id}')), 'ok', 'its secret opens the door')
  from recovered;
select is(reply -> 'effects', '[]', 'nothing is left to do') from recovered;
select rows_are(
  $$ select method, decision::text, transport::text, client_id from striatumd.audit_log, recovered
      where audit_id = (reply ->> 'audit_id')::bigint $$,
  $$ values ('client.recover', 'allowed', 'internal', 'striatumd-i-1') $$,
  'and it is on record');
select is((select count(*) from striatumd.clients where client_id = tap.client_id('ada')
            and revoked_at is null), 1::bigint, 'the client before is left alone');
select isnt(pg_temp.recover() #>> '{data,client_id}', reply #>> '{data,client_id}',
  'another time it makes another one') from recovered;

-- refuses
create temp table before as select count(*) as n from striatumd.clients;
select is(tap.code(pg_temp.recover('{"transport": "rpc"}')), 'method_unknown',
  'nobody but the daemon itself can ask for it');
select is((select count(*) from striatumd.clients), n, 'and nothing was made by that') from before;

select * from finish();
rollback;
