-- A client as replies show it.
begin;
select plan(9);

-- given
select tap.open_door(), tap.authorize();
select tap.client(name, '{}') from unnest(array['bare', 'full', 'other']) as name;
insert into striatumd.client_capabilities
  (client_id, capability, repository_id, granted_at, revoked_at)
values (tap.client_id('full'), 'claim', null, '2026-01-01Z', null),
       (tap.client_id('full'), 'read', null, '2026-01-01Z', null),
       (tap.client_id('full'), 'read', 'repo_2', '2026-01-01Z', null),
       (tap.client_id('full'), 'read', 'repo_1', '2026-01-01Z', null),
       (tap.client_id('full'), 'admin', null, '2026-01-01Z', '2026-01-02Z'),
       (tap.client_id('other'), 'write', null, '2026-01-01Z', null);
insert into striatumd.client_sessions
values (tap.client_id('full'), 'sess_0123456789abcdef', 'repo_1', '2026-01-01Z');
insert into striatumd.principals values ('ada', 'human', 'Ada', '2026-01-01Z'),
  ('bob', 'human', 'Bob', '2026-01-01Z');
insert into striatumd.principal_clients (principal_id, client_id, linked_at, unlinked_at)
values ('bob', tap.client_id('full'), '2026-01-01Z', '2026-01-02Z'),
       ('ada', tap.client_id('full'), '2026-01-02Z', null);
update striatumd.clients set expires_at = '2026-12-01T00:00:00.5Z', revoked_at = '2026-11-30Z'
 where display_name = 'full';
create function pg_temp.shown(p_name text) returns jsonb language sql as $$
  select striatumd.client_shown(tap.client_id(p_name))
$$;

-- does
select is(pg_temp.shown('bare'), jsonb_build_object('client_id', tap.client_id('bare'),
  'display_name', 'bare', 'created_at', '2026-01-01T00:00:00.000000Z', 'expires_at', null,
  'revoked_at', null, 'session_id', null, 'principal_id', null, 'grants', '[]'::jsonb),
  'a client that nothing more is known of');
select is(pg_temp.shown('full') -> 'grants', '[
  {"capability": "read", "repository_id": "repo_1"},
  {"capability": "read", "repository_id": "repo_2"},
  {"capability": "read", "repository_id": null},
  {"capability": "claim", "repository_id": null}]',
  'its grants in the order of the capabilities, without what was taken back');
select is(pg_temp.shown('full') ->> 'session_id', 'sess_0123456789abcdef', 'its session');
select is(pg_temp.shown('full') ->> 'principal_id', 'ada', 'its principal, not the one before');
select is(pg_temp.shown('full') ->> 'expires_at', '2026-12-01T00:00:00.500000Z', 'its end');
select is(pg_temp.shown('full') ->> 'revoked_at', '2026-11-30T00:00:00.000000Z', 'its revocation');
select is(array(select jsonb_object_keys(pg_temp.shown('full')) order by 1),
  array['client_id', 'created_at', 'display_name', 'expires_at', 'grants', 'principal_id',
        'revoked_at', 'session_id'], 'and nothing of its secret');
select is(pg_temp.shown('other') -> 'grants', '[{"capability": "write", "repository_id": null}]',
  'what belongs to another is not shown');
select is(pg_temp.shown('nobody'), null, 'of a client that there is not, nothing');

select * from finish();
rollback;
