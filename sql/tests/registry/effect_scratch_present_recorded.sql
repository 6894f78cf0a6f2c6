-- The outcome of making a repository's scratch folder.
begin;
select plan(15);

-- given
select tap.open_door();
create function pg_temp.add(p_name text) returns jsonb language sql as $$
  select tap.ask('ada', 'repo.add', jsonb_build_object('path', '/srv/' || p_name, 'init', true),
    tap.folder('/srv/' || p_name, '{"has_scratch": false, "is_ignored": false}'))
$$;
create temp table made as
  select name, pg_temp.add(name) as reply from unnest(array['app', 'other']) name;
create function pg_temp.record(p_name text, p_attempt int, p_more jsonb default '{"is_done": true}')
  returns jsonb language sql as $$
  select tap.ask(null, 'effect.record', jsonb_build_object('effect_id', reply #>> '{effects,0}',
    'attempt', p_attempt) || p_more, '{}', '{"transport": "internal", "phase": "record"}')
    from made where name = p_name
$$;
create function pg_temp.ready() returns text language sql as $$
  select string_agg(display_name, ' ' order by display_name) from striatumd.repositories
   where is_initialized
$$;

-- does
select is(pg_temp.ready(), null, 'at first neither repository is ready');
select is(pg_temp.record('app', 1, '{"is_done": false, "problem": "no room"}') #>> '{data,state}',
  'failed', 'an attempt that failed');
select is(pg_temp.ready(), null, 'makes none ready');
select is((select count(*) from striatumd.events), 2::bigint, 'and is no event of the repository');
select is(pg_temp.record('app', 2) #>> '{data,state}', 'done', 'one that succeeded');
select is(pg_temp.ready(), 'app', 'makes its own ready, and its neighbour not');
select is(event_id::text || ' ' || event_type, '2 repository.initialized', 'and is an event')
  from striatumd.events order by recorded_at desc, event_id desc limit 1;
select is(payload_json::jsonb, jsonb_build_object('reason', 'effect.record', 'by', 'striatumd-i-1',
  'changes', jsonb_build_array(jsonb_build_object('of', 'repository', 'id', repository_id,
    'from', '{"is_initialized": false}'::jsonb, 'to', '{"is_initialized": true}'::jsonb))),
  'with what changed') from striatumd.events where event_type = 'repository.initialized';

-- at the boundary
create temp table again as select pg_temp.add('app') as reply;
update made set reply = again.reply from again where name = 'app';
select is(reply #> '{data,is_new}', 'false', 'the folder is made once more for what is ready')
  from again;
select is(pg_temp.record('app', 1) #>> '{data,state}', 'done', 'which is recorded');
select is((select count(*) from striatumd.events), 3::bigint, 'and is no event: nothing changed');
update striatumd.repositories set state = 'removed', removed_at = '2099-01-01Z'
 where display_name = 'other';
select is(pg_temp.record('other', 1) #>> '{data,state}', 'done', 'for one that was removed');
select is(pg_temp.ready(), 'app', 'nothing changes');
select is((select count(*) from striatumd.events), 3::bigint, 'and nothing is told');

-- around
select throws_ok($$ select striatumd.effect_scratch_present_recorded(null, '{}') $$, '28000',
  'daemon_authority_missing', 'nothing is recorded without the daemon''s secret');

select * from finish();
rollback;
