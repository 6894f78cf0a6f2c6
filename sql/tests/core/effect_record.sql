-- effect.record: the outcome of an attempt.
begin;
select plan(34);

-- given
select tap.open_door();
create temp table at as select tap.repository('app') as app;
create function striatumd.effect_thing_there_recorded(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision language sql as $$
  select striatumd.decided(jsonb_build_object('told', p ->> 'state', 'saw', p -> 'seen'),
    jsonb_build_array(striatumd.event(p ->> 'repository_id', 'thing.seen', 'effect.record',
      p_call.client_id, '[]')), '[]')
$$;
create function pg_temp.effect(p_n int, p_change jsonb default '{}') returns void
  language plpgsql as $$
begin
  execute tap.row_of('effects', jsonb_build_object('effect_id', 'eff_' || lpad(p_n::text, 16, '0'),
    'kind', 'thing_there', 'args', '{}'::jsonb, 'client_id', 'c', 'request_id', 'r',
    'state', 'planned', 'attempts', 0, 'not_before', '2026-11-30T09:00:00Z',
    'planned_at', '2026-11-30T09:00:00Z',
    'repository_id', (select app from at)), p_change);
end
$$;
create function pg_temp.record(p_n int, p_attempt int, p_outcome jsonb default '{"is_done": true}')
  returns jsonb language sql as $$
  select tap.ask(null, 'effect.record', jsonb_build_object('effect_id',
    'eff_' || lpad(p_n::text, 16, '0'), 'attempt', p_attempt) || p_outcome, '{}',
    jsonb_build_object('transport', 'internal', 'phase', 'record',
      'request_id', format('rec:%s:%s', p_n, p_attempt)))
$$;
create function pg_temp.state(p_n int) returns text language sql as $$
  select concat_ws(' ', state, attempts, problem,
           to_char(not_before at time zone 'UTC', 'HH24:MI:SS'),
           'until ' || to_char(finished_at at time zone 'UTC', 'HH24:MI:SS'))
    from striatumd.effects where effect_id = 'eff_' || lpad(p_n::text, 16, '0')
$$;
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select pg_temp.effect(n) from unnest('{1,2,3,4,5,7}'::int[]) as n;

-- does
select is(pg_temp.record(1, 1), '{"ok": true, "data": {"told": "done", "saw": {}, "state": "done",
  "effect_id": "eff_0000000000000001", "not_before": "2026-11-30T10:00:01.000000Z"},
  "effects": [], "wakes": [], "audit_id": "1"}', 'an attempt that succeeded');
select is(pg_temp.state(1), 'done 1 10:00:01 until 10:00:00', 'ends the effect');
select is(event_type || ' ' || repository_id, 'thing.seen ' || app, 'what follows joins the chain')
  from striatumd.events, at;
select is(concat_ws(' ', method, client_id, repository_id, transport, request_id),
  'effect.record striatumd-i-1 ' || app || ' internal rec:1:1', 'it is on record')
  from striatumd.audit_log, at;
select ok(tap.holds('striatum:repository:' || app), 'under the lock of the effect''s repository')
  from at;
select is(pg_temp.state(2), 'planned 0 09:00:00', 'its neighbour waits');
select is(pg_temp.record(2, 1, '{"is_done": false, "problem": "no room"}') #>> '{data,state}',
  'failed', 'an attempt that failed');
select is(pg_temp.state(2), 'failed 1 no room 10:00:01', 'waits a second for the next');
select is(pg_temp.record(2, n, '{"is_done": false, "problem": "no"}') #>> '{data,not_before}',
  format('2026-11-30T10:%s.000000Z', later), format('attempt %s is followed in %s', n, later))
  from (values (2, '00:02'), (3, '00:04'), (4, '00:08'), (5, '00:16'), (6, '00:32'), (7, '01:04'))
    as waits (n, later);
select is(pg_temp.record(2, 8, '{"is_done": false, "problem": "no"}') #>> '{data,state}',
  'abandoned', 'after eight the budget is spent');
select is(pg_temp.state(2), 'abandoned 8 no 10:02:08 until 10:00:00', 'and it is given up');
select is(pg_temp.record(7, 1, '{"is_done": true, "seen": {"pid": 7, "of": {"it": null}}}')
  #> '{data,saw}', '{"pid": 7, "of": {"it": null}}', 'what was seen is told as it was');
select is(pg_temp.record(3, 1, '{"is_done": false, "is_hopeless": true, "problem": "gone"}')
  #>> '{data,told}', 'abandoned', 'what has no hope is given up at once');
select is(pg_temp.record(4, 1, '{"is_done": false, "problem": "no"}') #>> '{data,state}', 'failed',
  'what failed');
select is(pg_temp.record(4, 2) #>> '{data,state}', 'done', 'may succeed later');
select is(pg_temp.state(4), 'done 2 10:00:02 until 10:00:00', 'and has no problem then');
select is(pg_temp.record(5, 1, jsonb_build_object('is_done', false, 'problem', repeat('é', 5000)))
  #>> '{data,state}', 'failed', 'a long problem');
select is(length(problem), 1000, 'is cut') from striatumd.effects where state = 'failed';

-- replay
select is(pg_temp.record(1, 1) -> 'replayed', 'true', 'the same outcome again is answered');
select is((select count(*) from striatumd.events where repository_id = app), 14::bigint,
  'and recorded once: as many events as outcomes') from at;

-- refuses
select is(pg_temp.record(1, 2) -> 'error', '{"code": "effect_not_due",
  "message": "no such effect waits for this attempt",
  "details": {"effect_id": "eff_0000000000000001", "attempt": 2}, "next": ["effect.due"]}',
  'a done effect does not move');
select is(tap.code(pg_temp.record(n, attempt)), 'effect_not_due', what)
  from (values (2, 9, 'nor one that was given up'), (5, 3, 'no attempt is left out'),
    (9, 1, 'there is no such effect')) as bad (n, attempt, what);
select throws_ok($$ select pg_temp.record(5, 2, '{"is_done": false}') $$, '23514', null,
  'a failure has a problem');
select is(pg_temp.state(5) like 'failed 1 %', true, 'and that one waits as before');

-- at the boundary: an effect of no repository
create or replace function striatumd.effect_thing_there_recorded(p_call striatumd.call_context,
    p jsonb)
  returns striatumd.decision language sql as $$ select striatumd.decided('{}', '[]', '[]') $$;
select pg_temp.effect(6, '{"repository_id": null}');
select is(tap.code(pg_temp.record(6, 1)), 'ok', 'can be recorded, too');

-- around
select is(tap.code(tap.ask('ada', 'effect.record', '{}')), 'method_unknown',
  'nobody but the daemon records');
select throws_ok($$ select striatumd.effect_record(null, '{}') $$, '28000',
  'daemon_authority_missing', 'and it not without its secret');

select * from finish();
rollback;
