-- repo.add: what it registers, what it refuses, what it leaves alone.
-- STR-REGISTRY-05: not another folder in the place of an active one.
begin;
select plan(31);

-- given
select tap.open_door();
select tap.client('bob', '{read}');
create function pg_temp.add(p_path text, p_more jsonb default '{}', p_params jsonb default '{}',
    p_client text default 'ada')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'repo.add', jsonb_build_object('path', p_path) || p_params,
    tap.folder(p_path, p_more))
$$;

-- does
create temp table first as select pg_temp.add('/srv/app') as reply;
select is(tap.code(reply), 'ok', 'a good folder is registered') from first;
select matches(reply #>> '{data,repository_id}', '^repo_[0-9a-f]{16}$', 'under a new id')
  from first;
select is(reply #- '{data,repository_id}' #- '{data,added_at}' -> 'data',
  '{"root": "/srv/app", "state": "active", "is_new": true, "display_name": "app",
    "removed_at": null}', 'called like its folder') from first;
select rows_are(
  $$ select event_id, event_type, payload_json::jsonb #>> '{changes,0,of}',
            payload_json::jsonb #> '{changes,0,from}',
            payload_json::jsonb #>> '{changes,0,to,root}', payload_json::jsonb ->> 'by'
       from striatumd.events $$,
  format($$ values (1::bigint, 'repository.added', 'repository', 'null'::jsonb, '/srv/app', %L) $$,
    tap.client_id('ada')),
  'with the whole row in the first event of its chain');
select is(reply -> 'effects', '[]', 'and nothing is left to do') from first;

select is(pg_temp.add('/srv/app') #- '{data,is_new}' -> 'data',
  first.reply #- '{data,is_new}' -> 'data',
  'again, it answers the registration that there is') from first;
select is((select count(*) from striatumd.events), 1::bigint, 'without another event');
select is(
  pg_temp.add('/srv/other', '{}', '{"display_name": "The other"}') #>> '{data,display_name}',
  'The other', 'a name of its own is kept');

-- init
create temp table fresh as
  select pg_temp.add('/srv/new', '{"has_scratch": false, "is_ignored": false}', '{"init": true}')
    as reply;
select is(is_initialized, false, 'a folder without scratch is not ready yet')
  from striatumd.repositories, fresh where repository_id = reply #>> '{data,repository_id}';
select rows_are(
  $$ select kind, args, state::text, attempts, request_id <> '' from striatumd.effects $$,
  $$ values ('scratch_present', '{"root": "/srv/new", "inode": "4711"}'::jsonb, 'planned', 0,
             true) $$,
  'and the effect that makes it is planned');
select is(reply -> 'effects', (select jsonb_agg(effect_id) from striatumd.effects),
  'and named in the reply') from fresh;
select is(pg_temp.add('/srv/half', '{"is_ignored": false}') -> 'effects', '[]',
  'without init nothing is done about .gitignore');
select is(jsonb_array_length(
  pg_temp.add('/srv/half', '{"is_ignored": false}', '{"init": true}') -> 'effects'), 1,
  'with init it is, also later');

-- refuses
create temp table before as select count(*) as n from striatumd.repositories;
select is(tap.code(pg_temp.add('srv/app')), 'path_not_absolute', 'a relative path');
select is(tap.code(pg_temp.add(path)), 'path_traversal', 'not written plainly: ' || path)
  from unnest(array['/srv/../etc', '/srv/.', '/srv//app', '/srv/app/', '/..']) as path;
select is(tap.code(pg_temp.add('/srv/link', '{"symlink": "/srv/link"}')), 'symlink_refused',
  'a link');
select is(tap.code(pg_temp.add('/srv/no', '{"state": "absent"}')), 'repo_root_missing', 'nothing');
select is(tap.code(pg_temp.add('/srv/file', '{"state": "no_folder"}')), 'repo_root_missing',
  'a file');
select is(tap.code(pg_temp.add('/srv/x', '{"state": "unknown", "problem": "permission denied"}')),
  'repo_root_unknown', 'what cannot be looked at');
select is(tap.code(pg_temp.add('/srv/app', '{"inode": "4712"}')), 'repo_identity_differs',
  'another folder in the place of a registered one');
select is(tap.code(pg_temp.add('/srv/y', '{"has_git": false}')), 'repo_git_missing', 'no git');
select is(tap.code(pg_temp.add('/srv/y', '{"legacy_state": "/srv/y/.striatum/old.db"}')),
  'repo_legacy_state_present', 'an older program''s database');
select is(tap.code(pg_temp.add('/srv/y', '{"has_scratch": false}')), 'repo_scratch_missing',
  'no scratch, and none asked for');
select is(
  pg_temp.add('/srv/y', '{"has_git": false, "has_scratch": false}') #> '{error,next}',
  '["git init /srv/y", "striatum repo add /srv/y --init"]', 'all that stands against it at once');
select is(tap.code(tap.ask('ada', 'repo.add', '{"path": "/srv/y"}')), 'repo_root_unknown',
  'what was not looked at');
select is(tap.code(pg_temp.add('/srv/y', '{}', '{}', 'bob')), 'capability_missing',
  'a client without admin');
select is((select count(*) from striatumd.repositories), n, 'and nothing was registered by that')
  from before;

select * from finish();
rollback;
