-- A client, its row locked.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.client('bob', '{}'), tap.client('carol', '{}');

-- around
select throws_ok($$ select striatumd.locked_client('x') $$, '28000', 'daemon_authority_missing',
  'nobody is told without the daemon''s secret');

-- does
select tap.authorize();
select is((striatumd.locked_client(tap.client_id('bob'))).display_name, 'bob', 'it is answered');
select rows_are($$ select display_name from striatumd.clients
   where xmax::text <> '0' and display_name <> 'ada' $$,
  array['bob'], 'its row is locked, and no other');
update striatumd.clients set revoked_at = '2026-11-30Z' where display_name = 'bob';
select is((striatumd.locked_client(tap.client_id('bob'))).revoked_at, '2026-11-30Z',
  'one that was revoked is one, too');

-- refuses
create function pg_temp.refusal(p_client_id text) returns jsonb language plpgsql as $$
declare
  v_detail text;
begin
  perform striatumd.locked_client(p_client_id);
  return null;
exception when sqlstate 'ST001' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail;
end
$$;
select is(pg_temp.refusal('client_0'), '{"code": "client_unknown",
  "message": "there is no client client_0", "details": {"client_id": "client_0"},
  "next": ["striatum token list"]}', 'one that there is not');
select is(pg_temp.refusal(null) ->> 'code', 'client_unknown', 'nor is null one');

select * from finish();
rollback;
