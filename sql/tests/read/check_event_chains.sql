-- doctor, event_chains: each event follows from the one before in its repository.
begin;
select plan(5);

-- given
select tap.open_door();
select tap.authorize();
select is(striatumd.check_event_chains(10) ->> 'message',
  'the events of 0 repositories follow one from another', 'nothing happened yet');
create temp table at as select tap.repository('app') as app, tap.repository('next') as next;
select striatumd.append_events(jsonb_agg(striatumd.event(id, 'run.started', 'test', 'c', '[]')))
  from (select app as id from at, generate_series(1, 10) union all select next from at) as events;

-- does
select is(striatumd.check_event_chains(10), '{"plane": "provenance", "name": "event_chains",
  "ok": true, "message": "the events of 2 repositories follow one from another", "affected": [],
  "next": []}', 'healthy');
set local session_replication_role = replica;
select is(tap.after('update striatumd.events set event_type = ''run.ended'' where event_id = 2',
  'select striatumd.check_event_chains(10)')::jsonb, jsonb_build_object('plane', 'provenance',
    'name', 'event_chains', 'ok', false, 'message', 'event chains are broken',
    'affected', jsonb_build_array(app || ':2'), 'next',
    '["striatum db export-chains DIR, and striatum-verify DIR"]'::jsonb), 'one event that changed')
  from at;
select is(tap.after('update striatumd.events set lease_id = ''x'' where event_id in (2, 10)',
  'select striatumd.check_event_chains(10) -> ''affected''')::jsonb,
  jsonb_build_array(app || ':2', app || ':10'), 'all are named, in their order') from at;

-- at the boundary
select is(tap.after('update striatumd.events set lease_id = ''x'' where event_id = 2',
  'select striatumd.check_event_chains(8) -> ''ok'''), 'true', 'an older event was not looked at');

select * from finish();
rollback;
