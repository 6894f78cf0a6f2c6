-- session.close: how a session ends on purpose.
-- STR-SESSION-09: one that has ended is answered as it is.
-- STR-SESSION-10: not while it holds work.
-- STR-SESSION-11: what is kept and said of it.
-- STR-SESSION-12: its agent is stopped first.
begin;
select plan(18);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage();
select tap.session('one', 'author'), tap.session('bare', 'author', 'r', null),
       tap.session('next', 'reviewer');
create function pg_temp.close(p_session text, p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'session.close', jsonb_build_object('repository_id',
    tap.id('repo', 'app'), 'session_id', tap.id('sess', p_session), 'reason', 'done here'))
$$;

-- refuses
select tap.leased('one', 'r.draft');
select is(pg_temp.close('one') -> 'error', jsonb_build_object('code', 'session_holds_lease',
  'message', 'the session holds work: hand it back first', 'details', jsonb_build_object(
    'session_id', tap.id('sess', 'one'), 'lease_id', tap.id('lease', 'oner.draft')),
  'next', array[format('striatum release %s --session-id %s --reason TEXT',
    tap.id('lease', 'oner.draft'), tap.id('sess', 'one'))]),
  'not while it holds work');
select is((select exit_code::text from striatumd.error_codes where code = 'session_holds_lease'),
  '4', 'which ends a program with 4');
select is((select count(*) from striatumd.sessions where state = 'active'), 3::bigint,
  'nothing has ended by that');
update striatumd.leases set state = 'released', ended_at = now(), release_reason = 'x';

-- does
create temp table reply as select pg_temp.close('one') as is;
select is("is" #>> '{data,state}', 'closed', 'it is closed') from reply;
select is("is" #>> '{data,close_reason}', 'explicit', 'on purpose') from reply;
select is("is" #>> '{data,close_note}', 'done here', 'for this reason') from reply;
select is("is" #>> '{data,closed_at}', '2026-11-30T10:00:00.000000Z', 'at this instant') from reply;
select rows_are('select * from tap.events()', array[
  'supervisor.stopped: supervisor attached -> stopped',
  'session.closed: session active -> closed'], 'after its agent');
select is(payload_json::jsonb - 'changes', jsonb_build_object('session_id', tap.id('sess', 'one'),
  'role_id', 'author', 'lane_id', 'author', 'reason', 'done here', 'source', 'explicit',
  'by', tap.client_id('ada')), 'said in full') from striatumd.events
 where event_type = 'session.closed';
select is(payload_json::jsonb ->> 'source', 'explicit_session_close', 'by this way')
  from striatumd.events where event_type = 'supervisor.stopped';
select rows_are('select kind, args from striatumd.effects', $$ select 'agent_stopped',
  jsonb_build_object('supervisor_id', tap.id('sup', 'one'), 'run_id', tap.id('run', 'r'),
    'agent_pid', 4711,
    'agent_start_token', 'boot:1', 'helper_pid', 4710, 'helper_start_token', 'boot:0') $$,
  'and its process is to be ended');
select ok("is" -> 'wakes' ? ('run:' || tap.id('run', 'r')), 'who waits is woken') from reply;

-- again
select is(pg_temp.close('one') -> 'data', ("is" -> 'data') || '{"note":
  "the session was closed already; nothing was changed"}', 'again it is answered as it is')
  from reply;
select is((select count(*) from striatumd.events), 2::bigint, 'without an event');
select is(tap.code(pg_temp.close('bare')), 'ok', 'one without an agent');
select is((select count(*) from striatumd.effects), 1::bigint, 'has none to stop');

-- around
select is(tap.code(pg_temp.close('bare', 'next')), 'capability_denied', 'a session closes none');
select is(tap.code(pg_temp.close('next', 'next')), 'ok', 'but itself');

select * from finish();
rollback;
