-- repo.list: the repositories that a client may read.
begin;
select plan(15);

-- given
select tap.open_door();
create temp table at as select tap.repository('b') as b, tap.repository('a') as a,
  tap.repository('Z') as z, tap.repository('gone') as gone;
update striatumd.repositories set state = 'removed', removed_at = '2026-11-30T09:00:00Z'
 where display_name = 'gone';
insert into striatumd.repositories values ('repo_0000000000000001', '/srv/gone', '4712', 'again',
  'active', false, '2026-11-30T09:30:00Z', null);
select tap.client('all', '{read}'), tap.client('one', '{read}', a),
       tap.client('former', '{read}', gone), tap.client('writer', '{write}'),
       tap.client('none', '{}'), tap.client('lane', '{read}') from at;
insert into striatumd.client_capabilities (client_id, capability, repository_id, granted_at)
select tap.client_id('one'), capability::striatumd.capability, repository_id, '2026-01-01Z'
  from at, lateral (values ('read', z), ('write', b), ('admin', null)
           ) as grants (capability, repository_id);
insert into striatumd.client_sessions
select tap.client_id('lane'), 'sess_0123456789abcdef', a, '2026-01-01Z' from at;
create function pg_temp.listed(p_client text, p_params jsonb default '{}') returns text
  language sql as $$
  select string_agg(value ->> 'display_name', ' ' order by n)
    from jsonb_array_elements(tap.ask(p_client, 'repo.list', p_params)
           #> '{data,repositories}') with ordinality as r (value, n)
$$;

-- does
select is(pg_temp.listed('all'), 'Z a b again', 'the active ones in the order of their roots');
select is(pg_temp.listed('all', '{"removed": false}'), 'Z a b again', 'also where that is said');
select is(pg_temp.listed('all', '{"removed": true}'), 'Z a b gone again',
  'with the removed where asked for: of one root the older first');
select is(tap.ask('all', 'repo.list', '{"removed": true}') #> '{data,repositories,3}',
  jsonb_build_object('repository_id', gone, 'root', '/srv/gone', 'display_name', 'gone',
    'state', 'removed', 'is_initialized', true, 'added_at', '2026-01-01T00:00:00.000000Z',
    'removed_at', '2026-11-30T09:00:00.000000Z'), 'each as all replies show it') from at;
select is(tap.ask('all', 'repo.list', '{}') - 'data' - 'audit_id',
  '{"ok": true, "effects": [], "wakes": []}', 'and that is all');

-- who may read some alone sees those
select is(pg_temp.listed('one'), 'Z a', 'those that it may read, whatever else it may do');
select is(pg_temp.listed('one', '{"removed": true}'), 'Z a', 'also among the removed');
select is(pg_temp.listed('former'), null, 'who could read a removed one sees no other');
select is(tap.ask('former', 'repo.list', '{}') #> '{data,repositories}', '[]',
  'a list that is empty is a list');
update striatumd.client_capabilities set revoked_at = '2026-11-30Z'
 where client_id = tap.client_id('one') and repository_id = (select z from at);
select is(pg_temp.listed('one'), 'a', 'what was taken back is not seen any more');

-- refuses
select is(tap.code(tap.ask(who, 'repo.list', '{}')), code, 'asked by ' || what)
  from (values ('writer', 'capability_missing', 'who may write alone'),
    ('none', 'capability_missing', 'who may do nothing'),
    ('lane', 'capability_denied', 'a session'), (null, 'token_missing', 'nobody')
  ) as asked (who, code, what);
select is_empty('select * from striatumd.command_requests', 'no reply of it is kept');

select * from finish();
rollback;
