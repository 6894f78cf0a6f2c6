-- When a session was heard of.
begin;
select plan(4);

select tap.open_door(), tap.run_stage(), tap.session('one', 'author'), tap.session('two', 'author');
create function pg_temp.touch(p_at timestamptz) returns void language sql as $$
  select tap.authorize();
  select striatumd.touch_session((null, null, null, null, null, null, null, null,
    p_at)::striatumd.call_context, tap.id('sess', 'one'))
$$;
select pg_temp.touch('2026-11-30T10:00:00Z');
select rows_are('select * from striatumd.session_liveness', $$ select tap.id('sess', 'one'),
  '2026-11-30T10:00:00Z'::timestamptz $$, 'for the first time');
select pg_temp.touch('2026-11-30T11:00:00Z');
select rows_are('select last_seen_at from striatumd.session_liveness',
  $$ select '2026-11-30T11:00:00Z'::timestamptz $$, 'and the last');
select is_empty('select from striatumd.events', 'no event says so');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.touch_session(null, null)', '28000', 'daemon_authority_missing',
  'not without the daemon''s secret');

select * from finish();
rollback;
