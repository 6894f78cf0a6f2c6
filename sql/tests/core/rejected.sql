-- What ended outside of the database has its row in the audit chain all the same.
begin;
select plan(18);

-- given
select tap.open_door();
select tap.plant('test.echo', '{"changes": true}');
create function pg_temp.reject(p_client text, p_code text, p_more jsonb default '{}') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'test.echo', '{}', '{}', jsonb_build_object('phase', 'reject',
    'request_id', 'r-1', 'refusal', jsonb_build_object('code', p_code, 'message', 'no', 'details',
    '{"a": 1}'::jsonb, 'next', array['x'])) || p_more)
$$;
create function pg_temp.row_of(p_id bigint) returns text language sql as $$
  select concat_ws(' ', coalesce(client_id, '-'), method, decision, denial_reason, exit_code,
           transport, coalesce(request_id, '-'))
    from striatumd.audit_log where audit_id = p_id
$$;

-- does
select is(pg_temp.reject('ada', 'usage_invalid'), '{"ok": false, "error": {"code": "usage_invalid",
  "message": "no", "details": {"a": 1}, "next": ["x"]}, "effects": [], "wakes": [],
  "audit_id": "1"}', 'the refusal that the daemon found is the reply');
select is(pg_temp.row_of(1), tap.client_id('ada') || ' test.echo denied usage_invalid 2 rpc r-1',
  'and is on record, with the client whose token is right');
select is(pg_temp.reject('nobody', 'busy') ->> 'audit_id', '2', 'of who proved nothing');
select is(pg_temp.row_of(2), '- test.echo denied busy 75 rpc r-1', 'nobody is named');
select is(pg_temp.reject(null, 'internal_error') ->> 'audit_id', '3', 'a fault of our own');
select is(pg_temp.row_of(3), '- test.echo error internal_error 1 rpc r-1', 'is an error');
select is(pg_temp.reject(null, 'usage_invalid', '{"method": "no such", "request_id": null,
  "params": null, "token": "x", "transport": "web"}') ->> 'audit_id', '4', 'a line of no sense');
select is(pg_temp.row_of(4), '- no such denied usage_invalid 2 web -', 'has its row, too');
select is(pg_temp.reject('ada', 'busy', jsonb_build_object('method', repeat('é', 200), 'request_id',
  repeat('x', 200))) ->> 'audit_id', '5', 'so has one of great length');
select is(pg_temp.row_of(5), format('%s %s denied busy 75 rpc %s', tap.client_id('ada'),
  repeat('é', 64), repeat('x', 128)), 'cut to what fits');
update striatumd.clients set revoked_at = '2026-11-30Z';
select is(pg_temp.reject('ada', 'busy') ->> 'audit_id', '6', 'who was revoked');
select is(pg_temp.row_of(6), tap.client_id('ada') || ' test.echo denied busy 75 rpc r-1',
  'is named all the same');
select is_empty('select from striatumd.command_requests', 'nothing is kept for a replay');

-- refuses: no rejection is on record as a success
select throws_ok(format('select pg_temp.reject(null, ''busy'', %L)', more), 'P0001',
  'a request was rejected without a refusal', 'a rejection has a refusal, not ' || more)
  from unnest(array['{"refusal": null}', '{"refusal": {}}', '{"refusal": {"code": null}}']) as more;
select throws_ok($$ select pg_temp.reject(null, 'no_such_code') $$, '23514', null,
  'nor has an unknown code a row, since it has no exit code');
select is((select count(*) from striatumd.audit_log), 6::bigint, 'none of these is on record');

select * from finish();
rollback;
