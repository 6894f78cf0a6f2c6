-- repo.resolve: the repository that a path lies in.
begin;
select plan(36);

-- given
select tap.open_door();
create temp table at as select tap.repository('app') as app, tap.repository('app/sub') as sub,
  tap.repository('app.old') as old, tap.repository('a_p') as like_pattern,
  tap.repository('gone') as gone;
update striatumd.repositories set state = 'removed', removed_at = '2026-11-30T09:00:00Z'
 where display_name = 'gone';
select tap.client('bob', '{read}'), tap.client('one', '{read}', app),
       tap.client('deep', '{read}', sub), tap.client('writer', '{write}'),
       tap.client('lane', '{read}', app) from at;
insert into striatumd.client_sessions
select tap.client_id('lane'), 'sess_0123456789abcdef', app, '2026-01-01Z' from at;
create function pg_temp.resolved(p_path text, p_client text default 'bob',
    p_observed jsonb default '{}')
  returns text language sql as $$
  select coalesce(r #>> '{data,display_name}', r #>> '{error,code}')
    from tap.ask(p_client, 'repo.resolve', jsonb_build_object('path', p_path), p_observed) as r
$$;

-- does
select is(tap.ask('bob', 'repo.resolve', '{"path": "/srv/app"}') - 'audit_id',
  jsonb_build_object('ok', true, 'data', jsonb_build_object('repository_id', app,
    'root', '/srv/app', 'display_name', 'app', 'state', 'active', 'is_initialized', true,
    'added_at', '2026-01-01T00:00:00.000000Z', 'removed_at', null),
  'effects', '[]'::jsonb, 'wakes', '[]'::jsonb), 'the top of a repository lies in it') from at;
select is(pg_temp.resolved(path), 'app', 'so does what lies below: ' || path)
  from unnest(array['/srv/app/', '/srv/app/src', '/srv/app/src/main.rs', '/srv/app/submarine',
    '/srv/app/.git', '/srv/app/é b']) as path;
select is(pg_temp.resolved(path), 'app/sub', 'of two the inner one: ' || path)
  from unnest(array['/srv/app/sub', '/srv/app/sub/x']) as path;
select is(pg_temp.resolved('/srv/app.old/x'), 'app.old', 'a name goes on after a dot');
select is(pg_temp.resolved('/srv/a_p/x'), 'a_p', 'and is no pattern');

-- where a path really leads
create function pg_temp.leads(p_path text) returns jsonb language sql as $$
  select jsonb_build_object('path_place',
    jsonb_build_object('real_path', p_path, 'state', 'present'))
$$;
select is(pg_temp.resolved('/home/link', 'bob', pg_temp.leads('/srv/app/src')), 'app',
  'a link lies where it leads');
select is(pg_temp.resolved('/srv/app/link', 'bob', pg_temp.leads('/etc')), 'repo_not_registered',
  'and not where it stands');
select is(pg_temp.resolved('/srv/app/new', 'bob', '{"path_place": {"state": "unknown",
  "real_path": null}}'), 'app', 'of what cannot be looked at, the path decides');

-- refuses
select is(tap.ask('bob', 'repo.resolve', '{"path": "/srv/x"}') -> 'error', '{
  "code": "repo_not_registered", "message": "/srv/x lies in no registered repository",
  "details": {"path": "/srv/x"},
  "next": ["striatum repo add /srv/x --init", "striatum repo list"]}', 'what lies in none');
select is(pg_temp.resolved(path), 'repo_not_registered', 'what has no more than a beginning of its '
  || 'name: ' || path)
  from unnest(array['/srv/app2', '/srv/app2/src', '/srv/app ', '/srv/ap', '/srv', '/', '',
    'srv/app', '/SRV/APP', '/srv/axp']) as path;
select is(pg_temp.resolved('/srv/gone/x'), 'repo_not_registered', 'what lies in a removed one');
insert into striatumd.repositories values ('repo_0000000000000001', '/srv/gone', '4712', 'again',
  'active', false, '2026-11-30T09:30:00Z', null);
select is(pg_temp.resolved('/srv/gone/x'), 'again', 'until its root is registered once more');

-- who may not read it does not learn of it
select is(replace(tap.ask('one', 'repo.resolve', '{"path": "/srv/app.old"}') ->> 'error',
    'app.old', 'x'), tap.ask('one', 'repo.resolve', '{"path": "/srv/x"}') ->> 'error',
  'it is as if there were none');
select is(pg_temp.resolved('/srv/app/sub/x', 'one'), 'app',
  'of two the one that the client may read');
select is(pg_temp.resolved('/srv/app/x', 'deep'), 'repo_not_registered',
  'which is not the outer one where it may read the inner');
select is(pg_temp.resolved('/srv/app/x', 'lane'), 'app', 'a session finds its own');
select is(pg_temp.resolved('/srv/app', 'writer'), 'capability_missing', 'who may write alone');
select is(pg_temp.resolved('/srv/app', null), 'token_missing', 'nobody');
select is_empty('select * from striatumd.command_requests', 'no reply of it is kept');

-- at the boundary: the root of all
insert into striatumd.repositories values ('repo_0000000000000002', '/', '2', 'all', 'active', true,
  '2026-01-01Z', null);
select is(pg_temp.resolved('/'), 'all', 'a repository at / is found');
select is(pg_temp.resolved('/etc/x'), 'all', 'from below as well');

select * from finish();
rollback;
