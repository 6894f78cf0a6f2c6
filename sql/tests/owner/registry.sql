-- The tables of bundle V0006__registry: each state that may not be is refused by name.
-- STR-PRINCIPAL-01, STR-PRINCIPAL-02: the kinds of principals, and one live link a client.
-- STR-STORE-08: the head of a repository's chain is one look into the index.
begin;
select plan(104);

-- striatumd.repositories
create function pg_temp.repository(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('repositories', '{"repository_id": "repo_0123456789abcdef", "root": "/srv/app",
    "inode": "4711", "display_name": "app", "state": "active", "is_initialized": true,
    "added_at": "2026-11-30T10:00:00Z", "removed_at": null}', p_change)
$$;
select enum_has_labels('striatumd', 'repository_state', array['active', 'removed'],
  'the states of a repository');
select throws_ok(pg_temp.repository('{"state": "lost"}'), '22P02', null,
  'are all that it can be in');
select throws_ok(pg_temp.repository(jsonb_build_object(name, null)), '23502', null,
  'a repository has its ' || name)
  from unnest(array['repository_id', 'root', 'inode', 'display_name', 'state', 'is_initialized',
    'added_at']) as name;
select tap.refused(pg_temp.repository(jsonb_build_object('repository_id', id)),
  'repository_id_is_prefixed')
  from unnest(array['', 'repo_', 'job_0123456789abcdef', 'repo_0123456789ABCDEF']) as id;
select tap.refused(pg_temp.repository(jsonb_build_object('root', root)),
  'absolute_path_is_one_and_short') from unnest(array['', 'srv', '/' || repeat('x', 4096)]) as root;
select tap.refused(pg_temp.repository(jsonb_build_object('inode', inode)),
  'repositories_inode_is_a_number')
  from unnest(array['', '-1', '0x1', '4711 ', repeat('1', 21)]) as inode;
select tap.refused(pg_temp.repository(jsonb_build_object('display_name', name)),
  'line_is_one_and_short') from unnest(array['', E'a\nb', repeat('x', 201)]) as name;
select tap.refused(pg_temp.repository(change), 'repositories_removed_has_an_instant')
  from unnest(array['{"state": "removed"}', '{"removed_at": "2026-11-30T10:00:00Z"}']::jsonb[])
    as change;
select tap.refused(
  pg_temp.repository('{"state": "removed", "removed_at": "2026-11-30T09:59:59Z"}'),
  'repositories_removed_after_added');
select lives_ok(pg_temp.repository(), 'a good row is taken');
select tap.refused(pg_temp.repository('{"root": "/srv/other"}'), 'repositories_are_distinct');
select throws_ok(pg_temp.repository('{"repository_id": "repo_0123456789abcde0"}'), '23505', null,
  'a root is registered once');
select lives_ok(pg_temp.repository('{"repository_id": "repo_0123456789abcde1", "state": "removed",
  "removed_at": "2026-11-30T10:00:00Z"}'), 'beside it stands one that was removed');

-- striatumd.principals
create function pg_temp.principal(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('principals', '{"principal_id": "ada", "kind": "human", "display_name": "Ada",
    "created_at": "2026-11-30T10:00:00Z"}', p_change)
$$;
select enum_has_labels('striatumd', 'principal_kind', array['human', 'ai_operator', 'service'],
  'the kinds of principals');
select throws_ok(pg_temp.principal('{"kind": "robot"}'), '22P02', null, 'are all that there are');
select throws_ok(pg_temp.principal(jsonb_build_object(name, null)), '23502', null,
  'a principal has its ' || name)
  from unnest(array['principal_id', 'kind', 'display_name', 'created_at']) as name;
select tap.refused(pg_temp.principal(jsonb_build_object('principal_id', id)),
  'principals_id_is_a_word') from unnest(array['', '-a', 'a b', repeat('a', 129)]) as id;
select tap.refused(pg_temp.principal(jsonb_build_object('display_name', name)),
  'line_is_one_and_short') from unnest(array['', E'a\nb', repeat('x', 201)]) as name;
select lives_ok(pg_temp.principal(), 'a good row is taken');
select tap.refused(pg_temp.principal(), 'principals_are_distinct');

-- striatumd.clients
create function pg_temp.client(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('clients', jsonb_build_object('client_id', 'client_0123456789abcdef',
    'display_name', 'cli', 'token_hash', sha256('x'), 'token_salt', repeat('s', 16)::bytea,
    'created_at', '2026-11-30T10:00:00Z', 'expires_at', null, 'revoked_at', null), p_change)
$$;
select throws_ok(pg_temp.client(jsonb_build_object(name, null)), '23502', null,
  'a client has its ' || name)
  from unnest(array['client_id', 'display_name', 'token_hash', 'token_salt', 'created_at']) as name;
select tap.refused(pg_temp.client(jsonb_build_object('client_id', id)), 'client_id_is_prefixed')
  from unnest(array['', 'client_', 'job_0123456789abcdef', 'client_0123456789ABCDEF']) as id;
select tap.refused(pg_temp.client(jsonb_build_object('display_name', name)),
  'line_is_one_and_short') from unnest(array['', E'a\nb', repeat('x', 201)]) as name;
select tap.refused(pg_temp.client(jsonb_build_object('token_hash', repeat('h', octets)::bytea)),
  'clients_token_hash_is_sha256') from unnest(array[0, 31, 33]) as octets;
select tap.refused(pg_temp.client(jsonb_build_object('token_salt', repeat('s', 15)::bytea)),
  'clients_token_salt_is_long');
select tap.refused(pg_temp.client('{"expires_at": "2026-11-30T10:00:00Z"}'),
  'clients_expire_after_creation');
select tap.refused(pg_temp.client('{"revoked_at": "2026-11-30T09:59:59Z"}'),
  'clients_revoked_after_creation');
select lives_ok(pg_temp.client(), 'a good row is taken');
select tap.refused(pg_temp.client(), 'clients_are_distinct');
select lives_ok(pg_temp.client('{"client_id": "client_0123456789abcde0",
  "expires_at": "2026-11-30T10:00:01Z", "revoked_at": "2026-11-30T10:00:00Z"}'),
  'and one that was revoked at once');

-- striatumd.client_capabilities
create function pg_temp.grant(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('client_capabilities', '{"grant_number": 1, "capability": "read",
    "client_id": "client_0123456789abcdef", "repository_id": null,
    "granted_at": "2026-11-30T10:00:00Z", "revoked_at": null}', p_change)
$$;
select throws_ok(pg_temp.grant('{"capability": "root"}'), '22P02', null,
  'a capability is one of its words');
select throws_ok(pg_temp.grant(jsonb_build_object(name, null)), '23502', null,
  'a grant has its ' || name)
  from unnest(array['grant_number', 'client_id', 'capability', 'granted_at']) as name;
select tap.refused(pg_temp.grant('{"client_id": "client_0000000000000000"}'),
  'client_capabilities_belong_to_a_client');
select tap.refused(pg_temp.grant('{"revoked_at": "2026-11-30T09:59:59Z"}'),
  'client_capabilities_revoked_after_grant');
select lives_ok(pg_temp.grant(), 'a good row is taken');
select tap.refused(pg_temp.grant('{"capability": "write"}'), 'client_capabilities_are_distinct');
select throws_ok(pg_temp.grant('{"grant_number": 2}'), '23505', null,
  'what holds everywhere is granted once');
select lives_ok(pg_temp.grant('{"grant_number": 2, "repository_id": "r"}'), 'beside it, for one');
select throws_ok(pg_temp.grant('{"grant_number": 3, "repository_id": "r"}'), '23505', null,
  'that, too, once');
select lives_ok(pg_temp.grant('{"grant_number": 3, "revoked_at": "2026-11-30T10:00:00Z"}'),
  'what was revoked stands beside it');

-- striatumd.client_sessions
create function pg_temp.session(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('client_sessions', '{"client_id": "client_0123456789abcdef",
    "session_id": "sess_0123456789abcdef", "repository_id": "r",
    "bound_at": "2026-11-30T10:00:00Z"}', p_change)
$$;
select throws_ok(pg_temp.session(jsonb_build_object(name, null)), '23502', null,
  'a binding has its ' || name)
  from unnest(array['client_id', 'session_id', 'repository_id', 'bound_at']) as name;
select tap.refused(pg_temp.session('{"client_id": "client_0000000000000000"}'),
  'client_sessions_belong_to_a_client');
select tap.refused(pg_temp.session(jsonb_build_object('session_id', id)),
  'session_id_is_prefixed')
  from unnest(array['', 'sess_', 'job_0123456789abcdef']) as id;
select lives_ok(pg_temp.session(), 'a good row is taken');
select tap.refused(pg_temp.session('{"session_id": "sess_0123456789abcde0"}'),
  'client_sessions_one_session_a_client');

-- striatumd.principal_clients
create function pg_temp.link(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('principal_clients', '{"link_number": 1, "principal_id": "ada",
    "client_id": "client_0000000000000000", "linked_at": "2026-11-30T10:00:00Z",
    "unlinked_at": null}', p_change)
$$;
select throws_ok(pg_temp.link(jsonb_build_object(name, null)), '23502', null,
  'a link has its ' || name)
  from unnest(array['link_number', 'principal_id', 'client_id', 'linked_at']) as name;
select tap.refused(pg_temp.link('{"principal_id": "nobody"}'),
  'principal_clients_belong_to_a_principal');
select tap.refused(pg_temp.link('{"unlinked_at": "2026-11-30T09:59:59Z"}'),
  'principal_clients_unlinked_after_link');
select lives_ok(pg_temp.link(), 'a good row is taken, also of a client that is gone');
select tap.refused(pg_temp.link('{"client_id": "client_0000000000000001"}'),
  'principal_clients_are_distinct');
select throws_ok(pg_temp.link('{"link_number": 2}'), '23505', null,
  'a client has one principal at a time');
select lives_ok(pg_temp.link('{"link_number": 2, "unlinked_at": "2026-11-30T10:00:00Z"}'),
  'beside one that it had');

-- striatumd.repo_event_chain_heads
insert into striatumd.events (segment_id, repository_id, event_id, event_type, payload_json,
  created_at, recorded_at, previous_hash, row_hash)
select 1, id, n, 'run.started', '{}', '2026-11-30Z', '2026-11-30Z',
       case when n > 1 then encode(sha256(format('%s %s', id, n - 1)::bytea), 'hex') end,
       encode(sha256(format('%s %s', id, n)::bytea), 'hex')
  from generate_series(1, 2000) n,
       unnest(array['repo_0123456789abcdef', 'repo_0123456789abcde1', 'repo_unknown']) as id
 where id <> 'repo_0123456789abcde1' or n <= 3;
analyze striatumd.events;
select rows_are(
  'select repository_id, event_id, row_hash from striatumd.repo_event_chain_heads order by 1',
  $$ values ('repo_0123456789abcde1', 3::bigint,
             encode(sha256('repo_0123456789abcde1 3'), 'hex')),
            ('repo_0123456789abcdef', 2000, encode(sha256('repo_0123456789abcdef 2000'), 'hex')) $$,
  'one head a repository, its newest row');
create function pg_temp.plan_of(p_statement text) returns setof text language plpgsql as $$
begin
  return query execute 'explain ' || p_statement;
end
$$;
create temp table plan as select line from pg_temp.plan_of(
  $$ select row_hash from striatumd.repo_event_chain_heads
      where repository_id = 'repo_0123456789abcdef' $$) as line;
select isnt_empty($$ select * from plan where line ~ 'Index.* Scan.* on events_1' $$,
  'the head of one is read by key');
select isnt_empty($$ select * from plan
    where line ~ 'Index Cond: \(\(segment_id = 1\) AND \(repository_id = ' $$,
  'by the whole of the key: no neighbour''s events are passed on the way');
select is_empty($$ select * from plan where line ~ '(Seq Scan on events|Sort)' $$,
  'and its chain is not looked through');

select * from finish();
rollback;
