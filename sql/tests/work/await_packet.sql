-- work.await_packet: the same claim, and what is said where it waits.
-- STR-QUEUE-07: at the end it is told that there is none, and to go.
-- STR-QUEUE-09, STR-QUEUE-10: one that has ended is told so, without an error.
-- STR-QUEUE-11: a lane that is not attached yet is told to ask again; nothing expires.
begin;
select plan(14);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage();
select tap.session('one', 'author'), tap.session('idle', 'reviewer'),
       tap.session('new', 'author', 'r', 'starting');
create function pg_temp.await(p_session text, p_is_final boolean default false) returns jsonb
  language sql as $$
  select tap.ask(p_session, 'work.await_packet', '{}', tap.claiming(p_session),
    jsonb_build_object('is_final', p_is_final))
$$;
create function pg_temp.said(p_statement text) returns text language plpgsql as $$
declare
  v_detail text;
begin
  execute p_statement;
  return 'an answer';
exception when sqlstate 'ST002' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return concat_ws(' ', sqlerrm, v_detail);
end
$$;

-- waits
select is(pg_temp.said($$ select pg_temp.await('idle') $$), 'wait run:' || tap.id('run', 'r'),
  'where there is nothing, it waits for its run');
select is(pg_temp.said($$ select pg_temp.await('new') $$), 'wait run:' || tap.id('run', 'r'),
  'so does one whose lane is being started');
select is(pg_temp.said($$ select tap.ask('one', 'work.await_packet', '{}', tap.claiming('one')
  || tap.attested('idle')) $$), 'look run:' || tap.id('run', 'r'),
  'one for which another was looked at is looked at again');
select is_empty('select from striatumd.audit_log', 'none of that ended a request');

-- at the end
select is(pg_temp.await('idle', true) -> 'data', jsonb_build_object('type', 'none', 'status',
  'no_work', 'reason', 'queue_empty', 'run_id', tap.id('run', 'r'), 'session_id',
  tap.id('sess', 'idle'), 'session_state', 'active', 'idle_behavior', 'exit_session'),
  'it is told to go');
select is(pg_temp.await('new', true) -> 'data', jsonb_build_object('type', 'none', 'status',
  'no_work', 'reason', 'session_backend_not_ready', 'run_id', tap.id('run', 'r'), 'session_id',
  tap.id('sess', 'new'), 'session_state', 'active', 'next', '["striatum await-packet"]'::jsonb),
  'one whose lane is being started, to ask again');
select is(state::text, 'active', 'nothing has expired') from striatumd.sessions
 where session_id = tap.id('sess', 'new');
select rows_are('select state from striatumd.queue_messages', array['pending'], 'nor was claimed');

-- does
select is(pg_temp.await('one') #>> '{data,status}', 'claimed', 'work that is there is claimed');

-- one that has ended
update striatumd.sessions set state = 'active', closed_at = null, close_reason = null;
select is(tap.after(format($$ update striatumd.sessions set state = %L, closed_at = now(),
    close_reason = case %1$L when 'closed' then 'explicit' end::striatumd.close_reason $$, state),
  $$ select (pg_temp.await('idle') -> 'data') - '{run_id, session_id, next}'::text[] $$),
  jsonb_build_object('type', 'none', 'status', 'no_work', 'reason', 'session_' || state,
    'session_state', state, 'next_action', 'register_fresh_session', 'idle_behavior',
    'exit_session')::text, 'one that is ' || state)
  from unnest(array['stopped', 'closed', 'expired', 'lost']) as state;

-- at the boundary
select is((params #> '{properties,wait_ms}') - 'description',
  '{"type": "integer", "minimum": 0, "maximum": 600000}', 'it waits ten minutes at most')
  from striatumd.methods where method = 'work.await_packet';

select * from finish();
rollback;
