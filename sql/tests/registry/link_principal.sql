-- A client's link to a principal.
-- STR-PRINCIPAL-03: the link knows its client by its id alone; who links is the door, and it links
-- what is there.
begin;
select plan(26);

-- given
select tap.open_door();
select tap.client(name, '{}') from unnest(array['bob', 'carol', 'dave', 'erin']) as name;
insert into striatumd.principals values ('ann', 'human', 'Ann', '2026-01-01Z');
create function pg_temp.link(p_client text, p_principal_id text, p_kind text default null,
    p_name text default null)
  returns jsonb language plpgsql as $$
declare
  v_detail text;
begin
  perform striatumd.link_principal((null, null, null, null, null, null, null, null,
    '2026-11-30T10:00:00Z')::striatumd.call_context, tap.client_id(p_client), p_principal_id,
    p_kind, p_name);
  return '"linked"';
exception when sqlstate 'ST001' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail;
end
$$;
create temp view links as
  select c.display_name || ' ' || l.principal_id || ' ' || striatumd.utc_micros(linked_at) as link
    from striatumd.principal_clients l join striatumd.clients c using (client_id)
   where unlinked_at is null;

-- around
select throws_ok($$ select pg_temp.link('bob', 'ann') $$, '28000', 'daemon_authority_missing',
  'nobody is linked without the daemon''s secret');
select tap.authorize();

-- refuses
select is(pg_temp.link('bob', 'zoe'), '{"code": "principal_unknown",
  "message": "there is no principal zoe, and its kind was not given",
  "details": {"principal_id": "zoe"}, "next": ["the same request with principal_kind"]}',
  'a principal of whom nothing is known');
select is(pg_temp.link('bob', 'zoe', null, 'Zoe') ->> 'code', 'principal_unknown',
  'a name is not enough');
select is(pg_temp.link('bob', 'ann', kind), jsonb_build_object('code', 'principal_kind_differs',
  'message', 'principal ann is of kind human', 'details',
  '{"principal_id": "ann", "kind": "human"}'::jsonb, 'next',
  '["the same request without principal_kind"]'::jsonb), 'a human is not a kind of ' || kind)
  from unnest(array['ai_operator', 'service']) as kind;
select is_empty('select * from links', 'nobody was linked by that');
select is(count(*), 1::bigint, 'and no principal was made') from striatumd.principals;

-- does
select is(pg_temp.link('bob', 'ann'), '"linked"', 'a client of a principal that is there');
select is(pg_temp.link('carol', 'ann', 'human', 'Anna'), '"linked"',
  'another of the same one, its kind said as it is');
select is(pg_temp.link('dave', 'Zoe.1:x-y_z', 'service', 'The bot'), '"linked"',
  'a third of a new one');
select is(pg_temp.link('erin', 'yan', 'ai_operator'), '"linked"', 'a fourth of one without name');
select rows_are('select link from links order by 1',
  $$ values ('bob ann 2026-11-30T10:00:00.000000Z'), ('carol ann 2026-11-30T10:00:00.000000Z'),
            ('dave Zoe.1:x-y_z 2026-11-30T10:00:00.000000Z'),
            ('erin yan 2026-11-30T10:00:00.000000Z') $$, 'each is linked to its own');
select rows_are('select principal_id, kind::text, display_name, created_at
    from striatumd.principals order by created_at, kind',
  $$ values ('ann', 'human', 'Ann', '2026-01-01Z'::timestamptz),
            ('yan', 'ai_operator', 'yan', '2026-11-30T10:00:00Z'),
            ('Zoe.1:x-y_z', 'service', 'The bot', '2026-11-30T10:00:00Z') $$,
  'who was there stays who it was, who was new is made');
select ok(tap.holds('striatum:principal:' || id), 'one at a time makes ' || id)
  from unnest(array['ann', 'yan']) as id;

-- at the boundary: one at a time
select throws_ok($$ select pg_temp.link('bob', 'yan') $$, '23505', null,
  'a client that has a principal gets no second one');
update striatumd.principal_clients set unlinked_at = '2026-11-30T10:00:00Z'
 where client_id = tap.client_id('bob');
select is(pg_temp.link('bob', 'yan'), '"linked"', 'but another after it');
select throws_ok($$ select pg_temp.link('carol', '-x', 'human') $$, '23514', null,
  'an id that is no word is no principal''s');
select throws_ok($$ select pg_temp.link('carol', 'new', 'robot') $$, '22P02', null,
  'nor is there a fourth kind');

-- around: the client's id is no foreign key, and all the same no link is without its client
select is_empty($$ select conname from pg_constraint, unnest(conkey) as key
    join pg_attribute a on a.attnum = key
   where contype = 'f' and conrelid = 'striatumd.principal_clients'::regclass
     and a.attrelid = conrelid and attname = 'client_id' $$, 'the id of a client is a bare column');
select is(tap.code(tap.ask('ada', 'daemon.token.create', '{"capabilities": ["read"],
  "principal_id": "ann", "principal_kind": "service"}', tap.minted('x'))),
  'principal_kind_differs', 'where the door refuses a link');
select is(tap.code(tap.ask('ada', 'daemon.token.create', '{"capabilities": ["read"],
  "principal_id": "ann"}', tap.minted('x'))), 'ok', 'or makes one');
select is(tap.code(tap.ask('ada', 'daemon.token.rotate', jsonb_build_object('client_id',
  tap.client_id('carol')), tap.minted('y'))), 'ok', 'or moves it');
select is(tap.code(tap.ask('ada', 'daemon.token.revoke', jsonb_build_object('client_id',
  tap.client_id('dave')))), 'ok', 'or revokes its client');
select is_empty('select * from striatumd.principal_clients
    where client_id not in (select client_id from striatumd.clients)',
  'there is no link of a client that there is not');
select is(count(*), 7::bigint, 'and none went away') from striatumd.principal_clients;

select * from finish();
rollback;
