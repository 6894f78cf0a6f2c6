-- An agent that stays although its session has ended is ended.
begin;
select plan(8);

-- given
select tap.open_door();
select tap.run_stage();
select tap.session('busy', 'author'), tap.session('left', 'reviewer'),
       tap.session('gone', 'author', 'r', 'stopped');
update striatumd.sessions set state = 'closed', closed_at = now(), close_reason = 'run_completed'
 where session_id in (tap.id('sess', 'left'), tap.id('sess', 'gone'));
create function pg_temp.retire(p_name text) returns jsonb language sql as $$
  select tap.ask(null, 'supervise.retire',
    jsonb_build_object('supervisor_id', tap.id('sup', p_name)), '{}', '{"transport": "internal"}')
$$;
create function pg_temp.state(p_name text) returns text language sql as $$
  select state::text from striatumd.process_supervisors where supervisor_id = tap.id('sup', p_name)
$$;

-- does
select is(pg_temp.retire('busy') #> '{data,is_retired}', 'false', 'who works stays');
select is(pg_temp.state('busy'), 'attached', 'attached');
select is(pg_temp.retire('gone') #> '{data,is_retired}', 'false', 'who has ended has ended');
create temp table retired as select pg_temp.retire('left') as reply;
select is(reply #> '{data,is_retired}', 'true', 'who stays without a session does not')
  from retired;
select is(pg_temp.state('left'), 'stopped', 'its supervisor is stopped');
select is((select array_agg(kind || ' ' || (args ->> 'supervisor_id')) from striatumd.effects),
  array['agent_stopped ' || tap.id('sup', 'left')], 'and its processes are ended');
select is((select event_type::text from striatumd.events order by event_id desc limit 1),
  'supervisor.stopped', 'which is on record');
select is(tap.code(tap.ask('ada', 'supervise.retire',
  jsonb_build_object('supervisor_id', tap.id('sup', 'busy')))), 'method_unknown',
  'nobody else may');

select * from finish();
rollback;
