-- Who asks: what the secret of a token proves, and nothing that the request says beside it.
begin;
select plan(23);

-- given
select tap.open_door();
insert into striatumd.principals values ('p-ada', 'human', 'Ada', '2026-01-01Z'),
  ('p-old', 'service', 'Old', '2026-01-01Z');
insert into striatumd.principal_clients (principal_id, client_id, linked_at, unlinked_at)
values ('p-old', tap.client_id('ada'), '2026-01-01Z', '2026-01-02Z'),
       ('p-ada', tap.client_id('ada'), '2026-01-02Z', null);
select tap.client('lane', '{read}');
insert into striatumd.client_sessions
values (tap.client_id('lane'), 'sess_0123456789abcdef', 'repo_1', '2026-01-01Z');
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
create function pg_temp.who(p_client text, p_secret text, p_more jsonb default '{}') returns jsonb
  language sql as $$
  select tap.authorize();
  select to_jsonb(striatumd.who(jsonb_build_object('request_id', 'r-1', 'transport', 'rpc', 'token',
    jsonb_build_object('client_id', tap.client_id(p_client), 'secret', p_secret)) || p_more))
$$;
create function pg_temp.labels() returns text language sql as $$
  select format('[%s] [%s]', current_setting('striatum.principal_id'),
    current_setting('app.session_id'))
$$;

-- does
select is(pg_temp.who('ada', 'ada', '{"observed": {"a": 1}}'), jsonb_build_object(
  'client_id', tap.client_id('ada'), 'principal_id', 'p-ada', 'session_id', null, 'repository_id',
  null, 'run_id', null, 'capabilities', null, 'request_id', 'r-1', 'observed',
  '{"a": 1, "daemon": null}'::jsonb,
  'at', timestamptz '2026-11-30T10:00:00Z'), 'a token names its client and that one''s principal');
select is(pg_temp.labels(), '[p-ada] []', 'whom the label names');
select is(pg_temp.who('lane', 'lane') - 'at', jsonb_build_object('client_id', tap.client_id('lane'),
  'principal_id', null, 'session_id', 'sess_0123456789abcdef', 'repository_id', 'repo_1', 'run_id',
  null, 'capabilities', null, 'request_id', 'r-1', 'observed',
  '{"daemon": null}'::jsonb),
  'a session''s token names its session and repository');
select is(pg_temp.labels(), '[] [sess_0123456789abcdef]', 'and so do the labels');
update striatumd.clients set revoked_at = '2026-11-30Z', expires_at = '2026-11-30Z'
 where display_name = 'ada';
select is(pg_temp.who('ada', 'ada') ->> 'client_id', tap.client_id('ada'),
  'who was revoked is known all the same');

-- refuses to know
select is(pg_temp.who(client, secret) ->> 'client_id', null, what)
  from (values ('ada', 'lane', 'the secret of another client'), ('ada', 'ADA', 'a wrong secret'),
    ('ada', '', 'an empty secret'), ('ada', null, 'no secret'), ('nobody', 'ada', 'no such client'),
    (null, 'ada', 'no client')) as bad (client, secret, what);
select is(pg_temp.labels(), '[] []', 'no label names who proved nothing');
select is(pg_temp.who('ada', 'ada', format('{"token": %s}', token)::jsonb) ->> 'client_id', null,
  'no client: ' || token) from unnest(array['null', '"ada"', '[]', '{}']) as token;
select is(pg_temp.who('ada', 'no', '{"client_id": "x", "principal_id": "p-ada", "session_id": "s",
  "repository_id": "r"}') - 'at', '{"client_id": null, "principal_id": null, "session_id": null,
  "repository_id": null, "run_id": null, "capabilities": null, "request_id": "r-1",
  "observed": {"daemon": null}}', 'what a request says of itself is not believed');

-- the daemon's own
select is(pg_temp.who('ada', 'ada', '{"transport": "internal"}') ->> 'client_id', 'striatumd-i-1',
  'a call of the daemon''s own names its instance, whatever token lies beside it');
select is(pg_temp.who('ada', 'ada', '{"transport": "internal"}') ->> 'principal_id', null,
  'and no principal');

-- around: the labels are as the last call proved
select is(tap.code(tap.ask('ada', 'repo.add', '{}')), 'token_revoked', 'after a call of ada''s');
select is(pg_temp.labels(), '[p-ada] []', 'the labels are hers');
select is(tap.code(tap.ask('nobody', 'repo.add', '{}')), 'token_invalid', 'after one of nobody''s');
select is(pg_temp.labels(), '[] []', 'they are empty');

select * from finish();
rollback;
