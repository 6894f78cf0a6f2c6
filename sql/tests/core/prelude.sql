-- The first step of every call: the secret, the limits, the labels.
begin;
select plan(27);

-- given
select tap.open_door();
select tap.plant('test.echo');
create function pg_temp.prelude(p_more jsonb default '{}') returns text language plpgsql as $$
begin
  perform striatumd.prelude(repeat('secret', 6)::bytea, '{"request_id": "r-1",
    "deadline_ms": 5000}' || p_more);
  return current_setting('lock_timeout');
end
$$;

-- how the call comes to the disk
create function pg_temp.commits(p_more jsonb) returns text language plpgsql as $$
begin
  perform striatumd.prelude(repeat('secret', 6)::bytea, '{"request_id": "r-1",
    "deadline_ms": 5000}' || p_more);
  return current_setting('synchronous_commit');
end
$$;
select is(pg_temp.commits(more), wait, 'waiting for the disk is ' || wait || ' where ' || more)
  from (values ('{}'::jsonb, 'off'), ('{"is_durable": false}', 'off'),
    ('{"is_durable": true}', 'on')) as told (more, wait);

-- does
select is(pg_temp.prelude(), '1500ms', 'a lock is waited for 1.5 s');
select is(pg_temp.prelude('{"deadline_ms": 700}'), '700ms', 'or until the caller''s time is over');
select is(pg_temp.prelude(jsonb_build_object('deadline_ms', n)), '1ms',
  'never without end: ' || n) from unnest(array[0, -5, 1]) as n;
select is(pg_temp.prelude('{"deadline_ms": null}'), '1500ms', 'also where no time is named');
select is(pg_temp.prelude('{"deadline_ms": 9007199254740992}'), '1500ms', 'or more than there is');
select is(current_setting('striatum.daemon_auth'), encode(repeat('secret', 6)::bytea, 'hex'),
  'the secret is where functions ask for it');
select is(current_setting('striatum.rpc_id'), 'r-1', 'the request has its label');
select is(pg_temp.prelude(jsonb_build_object('request_id', repeat('x', 4096))), '1500ms',
  'a long one');
select is(length(current_setting('striatum.rpc_id')), 128, 'is cut');
select set_config('striatum.principal_id', 'mallory', true),
       set_config('app.session_id', 's', true);
select pg_temp.prelude('{"request_id": null}');
select is(current_setting(name), '', name || ' of an earlier call is gone')
  from unnest(array['striatum.rpc_id', 'striatum.principal_id', 'app.session_id']) as name;

-- refuses: without the secret nothing goes on
select throws_ok(format('select striatumd.prelude(%L, ''{}'')', secret), '28000',
  'daemon_authority_missing', 'not with ' || what)
  from (values (null::bytea, 'no secret'), ('', 'an empty one'), ('\x00', 'another'),
    (repeat('secret', 6)::bytea || '\x00', 'a longer one')) as bad (secret, what);

-- around: a call leaves the secret nowhere, however it ends
select set_config('striatum.daemon_auth', '', true);
select is(tap.code(tap.ask('ada', 'test.echo', '{}')), 'ok', 'after a call that succeeded');
select is(current_setting('striatum.daemon_auth', true), '', 'the secret is gone');
select is(tap.code(tap.ask('ada', 'test.unknown', '{}')), 'method_unknown', 'after a refusal');
select is(current_setting('striatum.daemon_auth', true), '', 'it is gone');
select throws_ok('select striatumd.append_events(''[]'')', '28000', 'daemon_authority_missing',
  'what asks for authority later in the same transaction finds none');

select is(tap.sqlstate_of($$ select striatumd.call('wrong', '{"method": "test.echo"}') $$), '28000',
  'the door itself asks first');

select * from finish();
rollback;
