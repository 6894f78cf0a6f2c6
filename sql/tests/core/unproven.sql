-- Which methods there are for whom, and who has to prove who they are.
begin;
select plan(22);

-- given
select tap.open_door();
select tap.client('bob', '{read}');
select tap.plant('test.echo');
select tap.plant('test.open', '{"capability": null}');
select tap.plant('test.inner', '{"internal": true, "capability": null}');

-- does
select is(tap.code(tap.ask('ada', 'test.echo', '{}')), 'ok', 'a known client is heard');
select is(tap.code(tap.ask(client, 'test.open', '{}')), 'ok',
  'where nobody has to prove anything, so is ' || coalesce(client, 'who has no token'))
  from unnest(array['ada', 'nobody', null]) as client;
select is(tap.code(tap.ask(null, 'test.inner', '{}', '{}', '{"transport": "internal"}')), 'ok',
  'the daemon reaches its own methods');

-- refuses
select is(tap.ask('ada', 'test.unknown', '{}') -> 'error', '{"code": "method_unknown", "message":
  "there is no method test.unknown", "details": {"method": "test.unknown"},
  "next": ["striatum describe"]}', 'there is no such method');
select is(tap.code(tap.ask('ada', name, '{}')), 'method_unknown', 'nor ' || coalesce(name, 'null'))
  from unnest(array['', 'Test.echo', 'test_echo', 'test.echo ', 'call', null]) as name;
select is(length(tap.ask('ada', repeat('x', 4096), '{}') #>> '{error,details,method}'), 128,
  'a name that is too long is cut');
select is(tap.code(tap.ask('ada', 'test.inner', '{}', '{}', jsonb_build_object('transport', way))),
  'method_unknown', 'nobody reaches the daemon''s own methods by ' || way)
  from unnest(array['rpc', 'mcp', 'web']) as way;
select is(tap.code(tap.ask('ada', 'test.echo', '{}', '{}', '{"transport": "internal"}')),
  'method_unknown', 'and the daemon itself no other');
select is(tap.ask(null, 'test.echo', '{}') -> 'error', '{"code": "token_missing", "message":
  "test.echo needs a token", "details": {}, "next": ["striatum --token-file FILE ..."]}',
  'a token is needed');
select is(tap.ask('nobody', 'test.echo', '{}') -> 'error', '{"code": "token_invalid", "message":
  "the token is not one of this daemon''s", "details": {},
  "next": ["striatum --token-file FILE ...", "striatumd token recover"]}', 'one of this daemon''s');
select is(tap.code(tap.ask('ada', 'test.echo', '{}', '{}', jsonb_build_object('token',
  jsonb_build_object('client_id', tap.client_id('ada'), 'secret', 'bob')))), 'token_invalid',
  'with its own secret, not that of another client');

-- at the boundary: a request without a transport reaches nothing
select isnt(tap.sqlstate_of(format(
  $$ select tap.ask(null, %L, '{}', '{}', '{"transport": null}') $$, name)), null,
  'by no transport there is no ' || name)
  from unnest(array['test.inner', 'test.echo']) as name;

select * from finish();
rollback;
