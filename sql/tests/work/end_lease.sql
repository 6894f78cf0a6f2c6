-- How a lease ends, with what its session held.
begin;
select plan(5);

-- given
select tap.open_door(), tap.run_stage(), tap.session('one', 'author'),
       tap.leased('one', 'r.draft');
create function pg_temp.finish() returns jsonb language sql as $$
  select tap.authorize();
  select striatumd.end_lease(
    (tap.client_id('ada'), null, tap.id('sess', 'one'),
    tap.id('repo', 'app'), tap.id('run', 'r'), null, null, null,
    '2026-11-30T10:00:00Z')::striatumd.call_context, tap.id('lease', 'oner.draft'),
    'released', 'completed',
    'done', 'completed')
$$;

-- does
create temp table said as select pg_temp.finish() as changes;
select is(changes, jsonb_build_array(
  jsonb_build_object('of', 'lease', 'id', tap.id('lease', 'oner.draft'), 'from',
    '{"state": "active", "ended_at": null, "release_reason": null}'::jsonb, 'to',
    '{"state": "released", "ended_at": "2026-11-30T10:00:00.000000Z", "release_reason":
      "completed"}'::jsonb),
  jsonb_build_object('of', 'message', 'id', (select message_id from striatumd.queue_messages),
    'from', '{"state": "acked"}'::jsonb, 'to', '{"state": "done"}'::jsonb),
  jsonb_build_object('of', 'job', 'id', tap.id('job', 'r.draft'), 'from',
    '{"state": "running"}'::jsonb, 'to', '{"state": "completed"}'::jsonb)), 'as three changes')
  from said;
select rows_are($$ select state from striatumd.jobs order by ordinal $$,
  array['completed', 'pending', 'pending'], 'no other job moves');
select throws_ok('select pg_temp.finish()', 'P0002', null, 'once');
select throws_ok($$ select striatumd.end_lease(
    (tap.client_id('ada'), null, tap.id('sess', 'one'),
    tap.id('repo', 'app'), tap.id('run', 'r'), null, null, null,
    '2026-11-30T10:00:00Z')::striatumd.call_context, 'lease_0000000000000000', 'released',
  'x', 'done', 'completed') $$, 'P0002', null, 'not one that there is not');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.end_lease(null, null, null, null, null, null)', '28000',
  'daemon_authority_missing', 'not without the daemon''s secret');

select * from finish();
rollback;
