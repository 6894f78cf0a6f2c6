-- doctor, fold: the tables say what the events say.
begin;
select plan(22);

-- given: one repository added, one made ready, one removed, one added again; all by the door
select tap.open_door();
create function pg_temp.add(p_path text, p_more jsonb default '{}') returns jsonb
  language sql as $$
  select tap.ask('ada', 'repo.add', jsonb_build_object('path', p_path, 'init', true),
    tap.folder(p_path, p_more))
$$;
create function pg_temp.found() returns text language sql as $$
  select f ->> 'ok' || ' ' || (f ->> 'affected') from striatumd.check_fold() as f
$$;
create function pg_temp.remove(p_id text) returns text language sql as $$
  select tap.code(tap.ask('ada', 'repo.remove', jsonb_build_object('repository_id', p_id)))
$$;
select is(striatumd.check_fold() ->> 'message', '0 repositories are as their events tell',
  'nothing is as nothing tells');
create temp table app as select pg_temp.add('/srv/app') #>> '{data,repository_id}' as id;
select is(pg_temp.found(), 'true []', 'a repository that was added');
create temp table fresh as select pg_temp.add('/srv/new', '{"has_scratch": false}') as reply;
select is(tap.code(tap.ask(null, 'effect.record', jsonb_build_object(
    'effect_id', reply #>> '{effects,0}', 'attempt', 1, 'is_done', true), '{}',
    '{"transport": "internal", "phase": "record"}')), 'ok', 'made ready') from fresh;
select is(count(*), 1::bigint, 'by an event') from striatumd.events
 where event_type = 'repository.initialized';
select is(pg_temp.found(), 'true []', 'and so it stands in the table');
select is(pg_temp.remove(reply #>> '{data,repository_id}'), 'ok', 'removed') from fresh;
select is(pg_temp.found(), 'true []', 'as its events say');
select is(tap.code(pg_temp.add('/srv/new')), 'ok', 'added again');
select is(striatumd.check_fold(), '{"plane": "provenance", "name": "fold", "ok": true,
  "message": "3 repositories are as their events tell", "affected": [], "next": []}',
  'and all is well');

-- does: what is changed behind the events' back is named, and nothing beside it
create function pg_temp.after(p_statement text) returns text language sql as $$
  select tap.after(replace(p_statement, ':app', quote_literal(id)), 'select pg_temp.found()')
    from app
$$;
set local session_replication_role = replica;
select is(pg_temp.after(format('update striatumd.repositories set %s where repository_id = :app',
  change)), format('false ["%s"]', id), 'changed: ' || change)
  from app, unnest(array['root = ''/srv/b''', 'inode = ''1''', 'display_name = ''b''',
    'state = ''removed'', removed_at = added_at', 'is_initialized = false',
    'added_at = added_at - interval ''1 microsecond''']) as change;
select is(pg_temp.after($$ update striatumd.repositories set removed_at = added_at
    where state = 'removed' and removed_at <> added_at $$), format('false ["%s"]',
  reply #>> '{data,repository_id}'), 'the instant of a removal') from fresh;
select is(pg_temp.after($$ delete from striatumd.events where repository_id = :app $$),
  format('false ["%s"]', id), 'a repository of which no event tells') from app;
select is(pg_temp.after($$ delete from striatumd.repositories where repository_id = :app $$),
  format('false ["%s"]', id), 'a repository of which the events alone tell') from app;
select is(pg_temp.after($$ update striatumd.events set payload_json = '{}'
    where event_type = 'repository.removed' $$), format('false ["%s"]',
  reply #>> '{data,repository_id}'), 'an event that lost its changes') from fresh;
select is(tap.after($$ update striatumd.repositories set display_name = 'x' $$,
  'select jsonb_array_length(striatumd.check_fold() -> ''affected'')'), '3', 'all that differ');
select is(tap.after($$ update striatumd.repositories set display_name = 'x' $$,
  'select striatumd.check_fold() - ''affected'''), '{"ok": false, "name": "fold", "next": '
  '["striatum db export-chains DIR, and striatum-verify DIR"], "plane": "provenance", '
  '"message": "tables and events tell different things"}', 'with what to do next');
select is(pg_temp.found(), 'true []', 'and undone, all is well');

select * from finish();
rollback;
