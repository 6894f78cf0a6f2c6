-- The events that do not follow from the event before in their repository.
begin;
select plan(28);

-- given: five events of app, each with all its ids, two of a neighbour, and nothing that keeps a
-- superuser from changing them
select tap.open_door();
create temp table at as select tap.repository('app') as app, tap.repository('next') as next;
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.authorize();
select striatumd.append_events(jsonb_agg(jsonb_build_object('repository_id', id,
    'event_type', 'run.started', 'run_id', 'run', 'actor_session_id', 'sess', 'job_id', 'job',
    'message_id', 'msg', 'artifact_id', 'art', 'lease_id', 'lease', 'payload', '{}'::jsonb)))
  from (select app as id from at, generate_series(1, 5)
        union all select next from at, generate_series(1, 2)) as events;
set local session_replication_role = replica;
create table striatumd.events_2 partition of striatumd.events for values in (2);
create function pg_temp.breaks(p_statement text, p_most bigint default 100) returns text
  language sql as $$
  select tap.after(replace(p_statement, ':app', quote_literal(app)), format(
    'select array_agg(format(''%%s %%s'', display_name, event_id) order by display_name, event_id)
       from striatumd.event_breaks(%s) join striatumd.repositories using (repository_id)', p_most))
    from at
$$;

-- does
select is(pg_temp.breaks('select', most), null, 'events as they were written follow, of ' || most)
  from unnest(array[0, 1, 3, 5, 6, 9223372036854775806]) as most;
select is(pg_temp.breaks(format(
    'update striatumd.events set %s where repository_id = :app and event_id = 3', change)),
  seen, 'changed: ' || change) from (values
  ('created_at = created_at + interval ''1 s'', recorded_at = recorded_at + interval ''1 s''',
    '{"app 3"}'),
  ('run_id = null', '{"app 3"}'), ('event_type = ''run.ended''', '{"app 3"}'),
  ('actor_session_id = ''s''', '{"app 3"}'), ('job_id = null', '{"app 3"}'),
  ('message_id = null', '{"app 3"}'), ('artifact_id = ''x''', '{"app 3"}'),
  ('lease_id = null', '{"app 3"}'), ('payload_json = ''{ }''', '{"app 3"}'),
  ('previous_hash = repeat(''0'', 64)', '{"app 3"}'),
  ('row_hash = repeat(''0'', 64)', '{"app 3","app 4"}'),
  ('event_id = 30', '{"app 4","app 30"}')) as changes (change, seen);
select is(pg_temp.breaks(format('update striatumd.events set repository_id = %L
    where repository_id = :app and event_id = 3', next)), '{"app 4","next 3"}',
  'given to another repository: both chains') from at;
select is(pg_temp.breaks(
    'update striatumd.events set segment_id = 2 where repository_id = :app and event_id = 3'),
  '{"app 3","app 4"}', 'moved to another segment: out of its order');
select is(pg_temp.breaks(
    'update striatumd.events set segment_id = 2 where repository_id = :app and event_id > 3'),
  null, 'a chain goes on in the next segment');
select is(pg_temp.breaks(
    'delete from striatumd.events where repository_id = :app and event_id = 3'),
  '{"app 4"}', 'cut out of the middle: the event behind it');
select is(pg_temp.breaks(
    'delete from striatumd.events where repository_id = :app and event_id < 3'),
  '{"app 3"}', 'cut off at the beginning: the event that is first now');
select is(pg_temp.breaks('update striatumd.events set run_id = null where event_id = 2'),
  '{"app 2","next 2"}', 'each repository''s are named');

-- at the boundary
select is(pg_temp.breaks(
    'update striatumd.events set run_id = null where repository_id = :app and event_id = 3', most),
  seen, format('of the newest %s events', most)) from (values (2, null), (3, '{"app 3"}'))
  as newest (most, seen);
select is(pg_temp.breaks(
    'delete from striatumd.events where repository_id = :app and event_id = 3', 2), '{"app 4"}',
  'the oldest of them is held against the one before');
select is(pg_temp.breaks('delete from striatumd.events'), null, 'no events, no breaks');

select * from finish();
rollback;
