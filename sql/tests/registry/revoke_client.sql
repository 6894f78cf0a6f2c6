-- A client's token and its capabilities are taken back.
begin;
select plan(8);

-- given
select tap.open_door();
select tap.client('bob', '{read, write}');
insert into striatumd.client_capabilities (client_id, capability, granted_at, revoked_at)
values (tap.client_id('bob'), 'claim', '2026-01-01Z', '2026-01-02Z');
insert into striatumd.principals values ('bob', 'human', 'Bob', '2026-01-01Z');
insert into striatumd.principal_clients (principal_id, client_id, linked_at)
values ('bob', tap.client_id('bob'), '2026-01-01Z');
create function pg_temp.revoke(p_at timestamptz) returns void language sql as $$
  select striatumd.revoke_client((null, null, null, null, null, null, null, null, p_at)
    ::striatumd.call_context, tap.client_id('bob'))
$$;
create temp table ada as
  select c.*, array(select g from striatumd.client_capabilities g
                     where g.client_id = c.client_id order by grant_number) as grants
    from striatumd.clients c where display_name = 'ada';

-- around
select throws_ok($$ select pg_temp.revoke('2026-11-30Z') $$, '28000', 'daemon_authority_missing',
  'nothing is taken back without the daemon''s secret');

-- does
select tap.authorize();
select lives_ok($$ select pg_temp.revoke('2026-11-30T10:00:00Z') $$, 'it is revoked');
select is(revoked_at, '2026-11-30T10:00:00Z', 'at the instant of the call')
  from striatumd.clients where display_name = 'bob';
select rows_are($$ select capability::text, revoked_at from striatumd.client_capabilities
    where client_id = tap.client_id('bob') order by capability $$,
  $$ values ('claim', '2026-01-02Z'::timestamptz), ('read', '2026-11-30T10:00:00Z'),
            ('write', '2026-11-30T10:00:00Z') $$,
  'its capabilities with it, those that it still held');
select is(unlinked_at, null, 'its link stays') from striatumd.principal_clients;
select rows_are($$ select c.*, array(select g from striatumd.client_capabilities g
    where g.client_id = c.client_id order by grant_number) from striatumd.clients c
   where display_name = 'ada' $$, 'select * from ada', 'its neighbour did not move');

-- again
select lives_ok($$ select pg_temp.revoke('2026-11-30T11:00:00Z') $$, 'once more, later');
select is((select array_agg(distinct at order by at) from (
    select revoked_at as at from striatumd.clients where display_name = 'bob'
    union all select revoked_at from striatumd.client_capabilities
     where client_id = tap.client_id('bob')) instants),
  '{2026-01-02 00:00:00Z, 2026-11-30 10:00:00Z}', 'it changes no instant');

select * from finish();
rollback;
