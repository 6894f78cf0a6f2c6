-- daemon.token.create: which tokens can be made, by whom, for whom and until when.
-- STR-PRINCIPAL-04: for a principal, which is made at its first use and linked at once.
-- STR-RPC-05: the capabilities, and no other.
begin;
select plan(70);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door();
create temp table at as select tap.repository('app') as app, tap.repository('other') as other,
  tap.repository('gone') as gone;
update striatumd.repositories set state = 'removed', removed_at = '2026-11-30T09:00:00Z'
 where display_name = 'gone';
select tap.client('bob', '{read}'), tap.client('aide', '{admin, read}'),
       tap.client('eve', '{admin}', app), tap.client('lane', '{admin, read}') from at;
insert into striatumd.client_capabilities
  (client_id, capability, repository_id, granted_at, revoked_at)
select tap.client_id('aide'), capability::striatumd.capability, repository_id, '2026-01-01Z',
       revoked_at
  from at, lateral (values ('write', app, null::timestamptz), ('review', null, '2026-01-02Z')
           ) as grants (capability, repository_id, revoked_at);
insert into striatumd.client_sessions
select tap.client_id('lane'), 'sess_0123456789abcdef', app, '2026-01-01Z' from at;
create function pg_temp.create(p_params jsonb, p_client text default 'ada',
    p_more jsonb default '{}')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'daemon.token.create', p_params, tap.minted('new-secret'), p_more)
$$;
create function pg_temp.code(p_reply jsonb, p_method text, p_params jsonb default '{}') returns text
  language sql as $$
  select tap.code(tap.ask(null, p_method, p_params, '{}',
    tap.token(p_reply #>> '{data,client_id}', 'new-secret')))
$$;
create function pg_temp.grants(p_reply jsonb) returns text language sql as $$
  select string_agg(concat_ws(' ', value ->> 'capability', value ->> 'repository_id'), ', '
           order by n)
    from jsonb_array_elements(p_reply #> '{data,grants}') with ordinality as g (value, n)
$$;
create function pg_temp.kept() returns text language sql as $$
  select format('%s clients, %s grants, %s sessions, %s principals, %s links, %s replies',
    (select count(*) from striatumd.clients), (select count(*) from striatumd.client_capabilities),
    (select count(*) from striatumd.client_sessions), (select count(*) from striatumd.principals),
    (select count(*) from striatumd.principal_clients),
    (select count(*) from striatumd.command_requests))
$$;
select is(pg_temp.kept(), '5 clients, 16 grants, 1 sessions, 0 principals, 0 links, 0 replies',
  'at first');

-- refuses
select is(pg_temp.create('{"capabilities": ["review", "read", "write", "claim"]}', 'aide')
  -> 'error', '{"code": "capability_scope_mismatch",
  "message": "you cannot grant what you do not hold everywhere: write, review, claim",
  "details": {"lacking": ["write", "review", "claim"]},
  "next": ["the same request from a client that holds them"]}',
  'nobody grants what was taken back from them, or what they hold in one repository or nowhere');
select is(tap.code(pg_temp.create(jsonb_build_object('capabilities', '["write"]'::jsonb,
  'repository_id', app), 'aide')), 'capability_scope_mismatch', 'not even for that repository')
  from at;
select is(pg_temp.create(jsonb_build_object('capabilities', '["read"]'::jsonb,
    'repository_id', id)) -> 'error', jsonb_build_object('code', 'repo_not_registered',
    'message', format('there is no active repository %s', id), 'details',
    jsonb_build_object('repository_id', id), 'next', '["striatum repo list"]'::jsonb),
  'for a repository that is ' || what)
  from at, lateral (values ('unknown', 'repo_0000000000000000'), ('removed', gone), ('empty', ''))
    as r (what, id);
select is(pg_temp.create('{"capabilities": ["read"], "session_id": "sess_0123456789abcde0"}')
  -> 'error', '{"code": "schema_invalid",
  "message": "a session belongs to a repository: which one?",
  "details": {"problems": [{"pointer": "/params/repository_id", "problem": "is missing"}]},
  "next": ["the same request with repository_id"]}', 'a session without its repository');
select is(pg_temp.create('{"capabilities": ["read"], "principal_id": "ann"}') -> 'error',
  '{"code": "principal_unknown",
  "message": "there is no principal ann, and its kind was not given",
  "details": {"principal_id": "ann"}, "next": ["the same request with principal_kind"]}',
  'a principal of whom nothing is known');
select is(tap.code(pg_temp.create('{"capabilities": ["read"]}', who)), code, 'asked by ' || what)
  from (values ('bob', 'capability_missing', 'who is no administrator'),
    ('eve', 'capability_scope_mismatch', 'who is one of a repository alone'),
    ('lane', 'capability_denied', 'a session'), (null, 'token_missing', 'nobody')
  ) as asked (who, code, what);
select throws_ok($$ select pg_temp.create('{"capabilities": ["root"]}') $$, '22P02', null,
  'a capability that there is not never comes in');
select is(pg_temp.kept(), '5 clients, 16 grants, 1 sessions, 0 principals, 0 links, 0 replies',
  'and nothing was made by that');

-- does
create temp table first as select pg_temp.create('{"capabilities": ["read"]}') as reply;
select matches(reply #>> '{data,client_id}', '^client_[0-9a-f]{16}$', 'a client is made')
  from first;
select is((reply #- '{data,client_id}') - 'audit_id', '{"ok": true, "data": {
  "display_name": "token", "created_at": "2026-11-30T10:00:00.000000Z", "expires_at": null,
  "revoked_at": null, "session_id": null, "principal_id": null,
  "grants": [{"capability": "read", "repository_id": null}]}, "effects": [], "wakes": []}',
  'which the reply shows, without its secret') from first;
select rows_are('select token_hash, token_salt from striatumd.clients, first
    where client_id = reply #>> ''{data,client_id}''',
  $$ values (sha256('new-secretpepperpepperpepper'), 'pepperpepperpepper'::bytea) $$,
  'the digest of its secret is kept');
set local xmlbinary = hex;
select is_empty(format($$
  select oid::regclass from pg_class
   where relkind in ('r', 'p', 'v') and relnamespace = 'striatumd'::regnamespace
     and query_to_xml(format('select * from %%s', oid::regclass), true, false, '')::text
         ~* '(new-secret|%s)' $$, encode('new-secret', 'hex')), 'and the secret nowhere');
select is_empty($$
  select oid::regclass from pg_class
   where relkind in ('r', 'p', 'v') and relnamespace = 'striatumd'::regnamespace
     and oid <> 'striatumd.clients'::regclass
     and strpos(lower(query_to_xml(format('select * from %s', oid::regclass), true, false, '')
           ::text), encode(sha256('new-secretpepperpepperpepper'), 'hex')) > 0 $$,
  'the digest in no other table');
select is(pg_temp.code(reply, 'repo.list'), 'ok', 'its token does what it may') from first;
select is(pg_temp.code(reply, 'daemon.token.list'), 'capability_missing', 'and no more')
  from first;
select is_empty('select * from striatumd.events', 'no repository has an event of it');
select is(pg_temp.kept(), '6 clients, 17 grants, 1 sessions, 0 principals, 0 links, 1 replies',
  'one client, one grant');

-- which capabilities
select enum_has_labels('striatumd', 'capability', '{read, write, review, claim, apply, admin,
  recovery, surgical_recovery}', 'there are eight capabilities');
select is(params #> '{properties,capabilities,items,enum}', to_jsonb(enum_range(
    null::striatumd.capability)), 'each of which can be asked for')
  from striatumd.methods where method = 'daemon.token.create';
select is(pg_temp.grants(pg_temp.create(jsonb_build_object('capabilities', array[name]))), name,
  'a token to ' || name)
  from unnest(enum_range(null::striatumd.capability)::text[]) as name;
select is(pg_temp.grants(pg_temp.create('{"capabilities": ["write", "claim", "read", "write"]}')),
  'read, write, claim', 'one to several, each granted once');

-- where
create temp table scoped as
  select pg_temp.create(jsonb_build_object('capabilities', '["read", "admin"]'::jsonb,
    'repository_id', app, 'display_name', 'laptop')) as reply from at;
select is(pg_temp.grants(reply), format('read %s, admin %1$s', app), 'a token for one repository')
  from scoped, at;
select rows_are('select display_name from striatumd.repositories where xmax::text <> ''0''',
  array['app'], 'which cannot be removed until its grant is there to be taken back');
select is(reply #>> '{data,display_name}', 'laptop', 'under the name that was given') from scoped;
select is(pg_temp.code(reply, 'repo.remove', jsonb_build_object('repository_id', other)),
  'capability_scope_mismatch', 'does nothing in another') from scoped, at;
select is(pg_temp.code(reply, 'daemon.token.list'), 'capability_scope_mismatch',
  'nor in the daemon as a whole') from scoped;
select is(tap.code(pg_temp.create(jsonb_build_object('capabilities', '["read"]'::jsonb,
  'repository_id', app), 'aide')), 'ok', 'who holds it everywhere may grant it there') from at;

-- for whom
select is(pg_temp.create(jsonb_build_object('capabilities', '["read"]'::jsonb,
  'principal_id', 'p-' || kind, 'principal_kind', kind, 'principal_display_name', 'The ' || kind))
  #>> '{data,principal_id}', 'p-' || kind, 'for a new principal of kind ' || kind)
  from unnest(array['human', 'ai_operator', 'service']) as kind;
select rows_are('select principal_id, kind::text, display_name, created_at
    from striatumd.principals order by kind',
  $$ values ('p-ai_operator', 'ai_operator', 'The ai_operator',
             '2026-11-30T10:00:00Z'::timestamptz),
            ('p-human', 'human', 'The human', '2026-11-30T10:00:00Z'),
            ('p-service', 'service', 'The service', '2026-11-30T10:00:00Z') $$,
  'which is there from then on');
select rows_are('select principal_id, linked_at, unlinked_at, client_id in (
    select client_id from striatumd.clients) from striatumd.principal_clients order by link_number',
  $$ values ('p-human', '2026-11-30T10:00:00Z'::timestamptz, null::timestamptz, true),
            ('p-ai_operator', '2026-11-30T10:00:00Z', null, true),
            ('p-service', '2026-11-30T10:00:00Z', null, true) $$, 'linked to its client');
create temp table before as select pg_temp.kept() as kept;
select is(pg_temp.create('{"capabilities": ["read"], "principal_id": "p-human",
  "principal_kind": "service"}') -> 'error', '{"code": "principal_kind_differs",
  "message": "principal p-human is of kind human",
  "details": {"principal_id": "p-human", "kind": "human"},
  "next": ["the same request without principal_kind"]}', 'one of another kind is refused');
select is(pg_temp.kept(), kept, 'and its client is not there either') from before;
select is(pg_temp.create('{"capabilities": ["read"], "principal_id": "p-human"}' || more)
  #>> '{data,principal_id}', 'p-human', 'a principal that is there, named with ' || more::text)
  from unnest(array['{}', '{"principal_kind": "human", "principal_display_name": "X"}']::jsonb[])
    as more;
select is(display_name, 'The human', 'keeps its name') from striatumd.principals
 where principal_id = 'p-human';
select is(count(*), 3::bigint, 'and may hold several tokens') from striatumd.principal_clients
 where principal_id = 'p-human';
select is(tap.code(pg_temp.create('{"capabilities": ["read"], "principal_id": "p-plain",
  "principal_kind": "human"}')), 'ok', 'one without a name');
select is(display_name, 'p-plain', 'is called by its id') from striatumd.principals
 where principal_id = 'p-plain';

-- as which session
create temp table bound as
  select pg_temp.create(jsonb_build_object('capabilities', '["read", "claim"]'::jsonb,
    'repository_id', app, 'session_id', 'sess_0123456789abcde0')) as reply from at;
select is(reply #>> '{data,session_id}', 'sess_0123456789abcde0', 'for a session') from bound;
select rows_are('select session_id, s.repository_id, bound_at from striatumd.client_sessions s,
    bound where client_id = reply #>> ''{data,client_id}''',
  $$ select 'sess_0123456789abcde0', app, '2026-11-30T10:00:00Z'::timestamptz from at $$,
  'to which it is bound, in its repository');
select tap.plant('test.claim', '{"scope": "single_repo", "capability": "claim", "lane": true}');
select is(pg_temp.code(reply, 'test.claim'), 'ok', 'its token acts there') from bound;
select is(pg_temp.code(reply, 'test.claim', '{"session_id": "sess_0123456789abcdef"}'),
  'capability_denied', 'and as no other session') from bound;

-- until when
create temp table short as
  select pg_temp.create('{"capabilities": ["read"], "expires_in_s": 60}') as reply;
select is(reply #>> '{data,expires_at}', '2026-11-30T10:01:00.000000Z', 'for a minute') from short;
select set_config('striatum.test_now', '2026-11-30T10:00:59.999999Z', true);
select is(pg_temp.code(reply, 'repo.list'), 'ok', 'it works to the last moment') from short;
select set_config('striatum.test_now', '2026-11-30T10:01:00Z', true);
select is(pg_temp.code(reply, 'repo.list'), 'token_expired', 'then no more') from short;
select is(pg_temp.code(reply, 'repo.list'), 'ok', 'one without an end goes on') from first;
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select is(pg_temp.create(jsonb_build_object('capabilities', '["read"]'::jsonb, 'expires_in_s',
    params #> ('{properties,expires_in_s}'::text[] || edge))) #>> '{data,expires_at}', expires_at,
  'at the ' || edge || ' of what can be asked for')
  from striatumd.methods, (values ('minimum', '2026-11-30T10:00:01.000000Z'),
    ('maximum', '2036-11-27T10:00:00.000000Z')) as edges (edge, expires_at)
 where method = 'daemon.token.create';

-- around the door
select is(pg_temp.create('{"capabilities": ["read"]}', 'ada', '{"phase": "preflight"}'),
  '{"ok": true, "observe": {"minted_secret": {}}}', 'the daemon is asked for a digest');
create temp table once as
  select pg_temp.create('{"capabilities": ["read"]}', 'ada', '{"request_id": "r-1"}') as reply;
truncate before;
insert into before select pg_temp.kept();
select is(tap.ask('ada', 'daemon.token.create', '{"capabilities": ["read"]}',
    tap.minted('another-secret'), '{"request_id": "r-1"}') -> 'error',
  jsonb_build_object('code', 'secret_already_issued', 'message',
    'this request was answered with a secret, which nobody has kept', 'details',
    jsonb_build_object('client_id', reply #> '{data,client_id}'), 'next',
    array[format('striatum token rotate %s', reply #>> '{data,client_id}')]),
  'the same request is not answered with a secret twice') from once;
select is(pg_temp.kept(), kept, 'and makes nothing') from before;
select is(pg_temp.code(reply, 'repo.list'), 'ok', 'the secret that was given out is right')
  from once;
select is(tap.code(pg_temp.create('{"capabilities": ["write"]}', 'ada', '{"request_id": "r-1"}')),
  'duplicate_request', 'and its id is used up');
select is(array(select display_name from striatumd.clients
    where created_at = '2026-01-01Z' and revoked_at is null order by 1),
  '{ada,aide,bob,eve,lane}', 'all this while its neighbours did not move');
select is(count(*), 16::bigint, 'nor what they hold')
  from striatumd.client_capabilities g join striatumd.clients c using (client_id)
 where c.created_at = '2026-01-01Z';

select * from finish();
rollback;
