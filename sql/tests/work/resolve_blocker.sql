-- How a blocker is resolved.
begin;
select plan(4);

-- given
select tap.open_door(), tap.run_stage(), tap.session('one', 'author'), tap.authorize();
create temp table opened as select striatumd.open_blocker(
    (tap.client_id('ada'), null, tap.id('sess', 'one'),
    tap.id('repo', 'app'), tap.id('run', 'r'), null, null, null,
    '2026-11-30T10:00:00Z')::striatumd.call_context, null, 'blocked', x, 'x',
  '{}') ->> 'id' as id, x from unnest(array['one', 'two']) as x;
create function pg_temp.resolve() returns jsonb language sql as $$
  select striatumd.resolve_blocker(
    (tap.client_id('ada'), null, tap.id('sess', 'one'),
    tap.id('repo', 'app'), tap.id('run', 'r'), null, null, null,
    '2026-11-30T10:00:00Z')::striatumd.call_context, id, 'canceled') from opened where x = 'one'
$$;

select is(pg_temp.resolve(), jsonb_build_object('of', 'blocker', 'id', id, 'from',
  '{"state": "open", "resolved_at": null, "resolution": null, "resolved_by": null}'::jsonb, 'to',
  jsonb_build_object('state', 'resolved', 'resolved_at', '2026-11-30T10:00:00.000000Z',
    'resolution', 'canceled', 'resolved_by', tap.client_id('ada'))), 'as one change')
  from opened where x = 'one';
select is(state::text, 'open', 'no other is') from striatumd.blockers where kind = 'two';
select throws_ok('select pg_temp.resolve()', 'P0002', null, 'once');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.resolve_blocker(null, null, null)', '28000',
  'daemon_authority_missing', 'not without the daemon''s secret');

select * from finish();
rollback;
