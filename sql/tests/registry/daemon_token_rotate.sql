-- daemon.token.rotate: a new token in the place of another.
-- STR-PRINCIPAL-05: the link moves to the new client; one that is revoked keeps it.
-- STR-PRINCIPAL-08: whoever changed something is known from the record, and stays known.
begin;
select plan(40);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door();
create temp table at as select tap.repository('app') as app, tap.repository('other') as other;
select tap.client('bob', '{read, claim}'), tap.client('carol', '{read}'),
       tap.client('eve', '{admin}', app), tap.client('gone', '{read}'),
       tap.client('over', '{read}'), tap.client('ending', '{read}'),
       tap.client('lane', '{admin}') from at;
insert into striatumd.client_capabilities
  (client_id, capability, repository_id, granted_at, revoked_at)
select tap.client_id('bob'), capability::striatumd.capability, repository_id, '2026-01-01Z',
       revoked_at
  from at, lateral (values ('write', app, null::timestamptz), ('admin', null, '2026-01-02Z')
           ) as grants (capability, repository_id, revoked_at);
insert into striatumd.client_sessions
select tap.client_id(name), 'sess_0123456789abcde' || n, app, '2026-01-01Z'
  from at, unnest(array['bob', 'lane']) with ordinality as s (name, n);
insert into striatumd.principals select 'p-' || name, 'human', name, '2026-01-01Z'
  from unnest(array['ada', 'bob', 'carol']) as name;
insert into striatumd.principal_clients (principal_id, client_id, linked_at, unlinked_at)
values ('p-carol', tap.client_id('bob'), '2026-01-01Z', '2026-01-02Z'),
       ('p-bob', tap.client_id('bob'), '2026-01-02Z', null),
       ('p-carol', tap.client_id('carol'), '2026-01-02Z', null),
       ('p-ada', tap.client_id('ada'), '2026-01-02Z', null);
update striatumd.clients set revoked_at = '2026-11-30T09:00:00Z' where display_name = 'gone';
update striatumd.clients set created_at = '2026-11-30T08:00:00Z',
       expires_at = '2026-11-30T10:00:00Z' where display_name = 'over';
update striatumd.clients set expires_at = '2026-11-30T10:00:00.000001Z'
 where display_name = 'ending';
create function pg_temp.rotate(p_whom text, p_client text default 'ada', p_more jsonb default '{}',
    p_secret text default 'new-secret')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'daemon.token.rotate',
    jsonb_build_object('client_id', tap.client_id(p_whom)), tap.minted(p_secret), p_more)
$$;
create function pg_temp.ask(p_reply jsonb, p_method text, p_params jsonb default '{}',
    p_observed jsonb default '{}')
  returns text language sql as $$
  select tap.code(tap.ask(null, p_method, p_params, p_observed,
    tap.token(p_reply #>> '{data,client_id}', 'new-secret')))
$$;
create temp view neighbours as
  select c.*, array(select g from striatumd.client_capabilities g
                     where g.client_id = c.client_id order by grant_number) as grants,
         array(select l from striatumd.principal_clients l where l.client_id = c.client_id) as links
    from striatumd.clients c where created_at = '2026-01-01Z' and display_name <> 'bob';
create temp table before as select * from neighbours;

-- refuses
select is(tap.ask('ada', 'daemon.token.rotate', '{"client_id": "client_0"}',
  tap.minted('new-secret')) -> 'error', '{"code": "client_unknown",
  "message": "there is no client client_0", "details": {"client_id": "client_0"},
  "next": ["striatum token list"]}', 'a client that there is not');
select is(pg_temp.rotate('gone') -> 'error', jsonb_build_object('code', 'token_revoked',
  'message', format('the token of %s was revoked', tap.client_id('gone')), 'details',
  jsonb_build_object('client_id', tap.client_id('gone'),
    'revoked_at', '2026-11-30T09:00:00.000000Z'),
  'next', array['striatum token create CAPABILITY']), 'one that was revoked: it never comes back');
select is(tap.code(pg_temp.rotate('bob', who)), code, 'asked by ' || what)
  from (values ('carol', 'capability_missing', 'who is no administrator'),
    ('eve', 'capability_scope_mismatch', 'who is one of a repository alone'),
    ('lane', 'capability_denied', 'a session'), (null, 'token_missing', 'nobody')
  ) as asked (who, code, what);
select is(count(*), 8::bigint, 'and none was made by that') from striatumd.clients;
select is(tap.code(tap.ask('bob', 'repo.resolve', '{"path": "/srv/app"}')), 'ok',
  'the token is still good');

-- does
create temp table new as select pg_temp.rotate('bob', 'ada', '{"request_id": "r-1"}') as reply;
select matches(reply #>> '{data,client_id}', '^client_[0-9a-f]{16}$', 'there is a new client')
  from new;
select isnt(reply #>> '{data,client_id}', tap.client_id('bob'), 'under a new id') from new;
select is((reply #- '{data,client_id}') - 'audit_id', jsonb_build_object('ok', true, 'data',
  jsonb_build_object('display_name', 'bob', 'created_at', '2026-11-30T10:00:00.000000Z',
    'expires_at', null, 'revoked_at', null, 'session_id', 'sess_0123456789abcde1',
    'principal_id', 'p-bob', 'replaces', tap.client_id('bob'), 'grants', jsonb_build_array(
      '{"capability": "read", "repository_id": null}'::jsonb,
      jsonb_build_object('capability', 'write', 'repository_id', app),
      '{"capability": "claim", "repository_id": null}'::jsonb)),
  'effects', '[]'::jsonb, 'wakes', '[]'::jsonb),
  'that has the name, the grants, the session and the principal of the old') from new, at;
select rows_are($$ select c.token_hash, c.token_salt, s.session_id, s.repository_id, s.bound_at
    from striatumd.clients c join striatumd.client_sessions s using (client_id), new
   where client_id = reply #>> '{data,client_id}' $$,
  $$ select sha256('new-secretpepperpepperpepper'), 'pepperpepperpepper'::bytea,
            'sess_0123456789abcde1', app, '2026-11-30T10:00:00Z'::timestamptz from at $$,
  'of a new digest, bound in the same repository');
select is(pg_temp.ask(reply, 'repo.resolve', '{"path": "/srv/app"}'), 'ok', 'its token acts')
  from new;
select is(tap.code(tap.ask('bob', 'repo.resolve', '{"path": "/srv/app"}')), 'token_revoked',
  'and the old one does not, at once');
select is(revoked_at, '2026-11-30T10:00:00Z', 'it was revoked at that instant')
  from striatumd.clients where client_id = tap.client_id('bob');
select rows_are($$ select capability, revoked_at from striatumd.client_capabilities
    where client_id = tap.client_id('bob') order by capability $$,
  $$ values ('read'::striatumd.capability, '2026-11-30T10:00:00Z'::timestamptz),
            ('write', '2026-11-30T10:00:00Z'), ('claim', '2026-11-30T10:00:00Z'),
            ('admin', '2026-01-02Z') $$, 'with what it held');
select rows_are($$ select principal_id, client_id, linked_at, unlinked_at
    from striatumd.principal_clients, new
   where client_id in (tap.client_id('bob'), reply #>> '{data,client_id}') order by link_number $$,
  $$ select v.* from new, lateral (values
       ('p-carol', tap.client_id('bob'), '2026-01-01Z'::timestamptz, '2026-01-02Z'::timestamptz),
       ('p-bob', tap.client_id('bob'), '2026-01-02Z', '2026-11-30T10:00:00Z'),
       ('p-bob', reply #>> '{data,client_id}', '2026-11-30T10:00:00Z', null)) v $$,
  'the principal''s link has moved, and that of its former one has not');
select rows_are('select * from neighbours order by 1', 'select * from before order by 1',
  'the neighbours did not move');
select is_empty('select * from striatumd.events', 'no repository has an event of it');

-- again
select is(pg_temp.rotate('bob', 'ada', '{"request_id": "r-1"}', 'other') -> 'error',
  jsonb_build_object('code', 'secret_already_issued', 'message',
    'this request was answered with a secret, which nobody has kept', 'details',
    jsonb_build_object('client_id', reply #> '{data,client_id}'), 'next',
    array[format('striatum token rotate %s', reply #>> '{data,client_id}')]),
  'the same request is not answered with a secret twice') from new;
select is(pg_temp.ask(reply, 'repo.resolve', '{"path": "/srv/app"}'), 'ok',
  'the secret that was given out stays right') from new;
select is(tap.code(pg_temp.rotate('bob')), 'token_revoked', 'nor is the old one rotated twice');
select is(pg_temp.rotate('bob', 'ada', '{"phase": "preflight"}'),
  '{"ok": true, "observe": {"minted_secret": {}}}', 'the daemon is asked for a digest');

-- at the boundary: the end
select is(pg_temp.rotate('ending') #>> '{data,expires_at}', '2026-11-30T10:00:00.000001Z',
  'an end that is to come stays');
select is(pg_temp.rotate('over') #>> '{data,expires_at}', '2026-11-30T12:00:00.000000Z',
  'one that is over comes as long after the new beginning as it came after the old');
select is(pg_temp.rotate('carol') #>> '{data,expires_at}', null, 'none stays none');
select is(pg_temp.rotate('eve') #> '{data,grants}', jsonb_build_array(jsonb_build_object(
  'capability', 'admin', 'repository_id', app)), 'what holds in one repository does not spread')
  from at;

-- an administrator rotates its own token, changes something, and is rotated and revoked
create temp table own as select pg_temp.rotate('ada') as reply;
select is(tap.code(pg_temp.rotate('lane')), 'token_revoked', 'its old one is gone');
select is(pg_temp.ask(reply, 'repo.add', '{"path": "/srv/x"}', tap.folder('/srv/x')), 'ok',
  'it goes on with the new one') from own;
select is(pg_temp.ask(reply, 'repo.remove', jsonb_build_object('repository_id', other)), 'ok',
  'and changes something') from own, at;
select is(pg_temp.ask(reply, 'daemon.token.create', '{"capabilities": ["admin"], "principal_id":
  "p-carol"}', tap.minted('second-secret')), 'ok', 'it makes another administrator') from own;
create temp table second as select client_id as id from striatumd.principal_clients
  where principal_id = 'p-carol' order by link_number desc limit 1;
select is(pg_temp.ask(reply, 'daemon.token.revoke', jsonb_build_object('client_id',
  tap.client_id('over'))), 'ok', 'and revokes a token') from own;
select is(tap.code(tap.ask(null, 'daemon.token.revoke', jsonb_build_object('client_id',
  reply #> '{data,client_id}'), '{}', tap.token(id, 'second-secret'))), 'ok',
  'until it is revoked itself') from own, second;
select is(principal_id, 'p-ada', 'its link is kept')
  from striatumd.principal_clients, own
 where client_id = reply #>> '{data,client_id}' and unlinked_at is null;
create function pg_temp.changed_by() returns table (method text, principal_ids text[])
  language sql as $$
  select a.method, array_agg(distinct l.principal_id)
    from striatumd.audit_log a join striatumd.methods m using (method)
    left join striatumd.principal_clients l
      on l.client_id = a.client_id and l.linked_at <= a.recorded_at
         and coalesce(l.unlinked_at, 'infinity') >= a.recorded_at
   where a.decision = 'allowed' and m.changes group by a.method
$$;
select rows_are('select * from pg_temp.changed_by() order by 1',
  $$ values ('daemon.token.create', '{p-ada}'::text[]), ('daemon.token.revoke', '{p-ada,p-carol}'),
            ('daemon.token.rotate', '{p-ada}'), ('repo.add', '{p-ada}'),
            ('repo.remove', '{p-ada}') $$,
  'the record still says on whose behalf each change was made');
select is_empty($$ select method from striatumd.methods m where changes and not internal
    and (scope = 'daemon_global' or method ~ '^repo\.')
    and not exists (select from striatumd.audit_log a where a.method = m.method
                     and decision = 'allowed') $$,
  'and there is no change of another kind but within a repository');
select is_empty($$ select * from striatumd.audit_log where decision = 'allowed'
    and (client_id is null or principal_id is null and client_id = tap.client_id('ada')) $$,
  'no row is without its client');

-- and no way to more
select tap.client('adm', '{admin}'), tap.client('peer', '{admin}'), tap.client('dora', '{read}');
select is(tap.code(pg_temp.rotate('dora', 'adm')), 'capability_scope_mismatch',
  'nobody gets by this what they do not hold');
select is(tap.code(pg_temp.rotate('peer', 'adm')), 'ok', 'what they hold everywhere, they may');
select is(tap.code(pg_temp.rotate('adm', 'adm')), 'ok', 'and their own');

select * from finish();
rollback;
