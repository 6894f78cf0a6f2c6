-- How a session ends.
-- STR-SESSION-02: these are its states.
begin;
select plan(6);

-- given
select tap.open_door(), tap.run_stage(), tap.session('one', 'author'), tap.session('two', 'author');
create function pg_temp.finish(p_state striatumd.session_state,
    p_reason striatumd.close_reason default null)
  returns jsonb language sql as $$
  select tap.authorize();
  select striatumd.end_session(
    (tap.client_id('ada'), null, tap.id('sess', 'one'),
    tap.id('repo', 'app'), tap.id('run', 'r'), null, null, null,
    '2026-11-30T10:00:00Z')::striatumd.call_context, tap.id('sess', 'one'), p_state, p_reason,
    repeat('x', 300))
$$;

-- does
select is(pg_temp.finish('closed', 'explicit'), jsonb_build_object('of', 'session', 'id',
  tap.id('sess', 'one'), 'from', '{"state": "active", "closed_at": null, "close_reason": null,
  "close_note": null}'::jsonb, 'to', jsonb_build_object('state', 'closed', 'closed_at',
  '2026-11-30T10:00:00.000000Z', 'close_reason', 'explicit', 'close_note', repeat('x', 200))),
  'as one change, its note cut to a line');
select is(state::text, 'active', 'its neighbour goes on') from striatumd.sessions
 where session_id = tap.id('sess', 'two');
select throws_ok($$ select pg_temp.finish('lost') $$, 'P0002', null, 'once');
update striatumd.sessions set state = 'active', closed_at = null, close_reason = null;
select throws_ok($$ select pg_temp.finish('closed') $$, '23514', null, 'closed only for a reason');

select enum_has_labels('striatumd', 'session_state', '{active,expired,stopped,lost,closed}',
  'it is active, or ended in one of four ways');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.end_session(null, null, null, null, null)', '28000',
  'daemon_authority_missing', 'not without the daemon''s secret');

select * from finish();
rollback;
