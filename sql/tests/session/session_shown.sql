-- A session as replies show it.
begin;
select plan(2);

select tap.open_door(), tap.run_stage(), tap.session('one', 'author');
select is(striatumd.session_shown(s) - 'registered_at', jsonb_build_object('session_id',
  tap.id('sess', 'one'), 'slug', 'author-author-1', 'run_id', tap.id('run', 'r'), 'role_id',
  'author', 'lane_id', 'author', 'ordinal', 1, 'state', 'active', 'operator_label', null,
  'non_fresh_reason', null, 'closed_at', null, 'close_reason', null, 'close_note', null),
  'with the slug that people call it by') from striatumd.sessions s;
select is(striatumd.session_shown(s) ->> 'registered_at', '2026-01-01T00:00:00.000000Z',
  'and its instants') from striatumd.sessions s;

select * from finish();
rollback;
