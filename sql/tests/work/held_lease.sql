-- Under which lease a session works.
-- STR-QUEUE-05: every change of work needs the session's own lease.
begin;
select plan(11);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage();
select tap.session('one', 'author'), tap.session('two', 'author'), tap.leased('one', 'r.draft');
create function pg_temp.held(p_session text default 'one', p_lease text default 'oner.draft')
  returns jsonb language sql as $$
  select tap.ask(p_session, 'work.heartbeat', jsonb_build_object('lease_id',
    tap.id('lease', p_lease)))
$$;

-- does
select is(tap.code(pg_temp.held()), 'ok', 'the session''s own');
select rows_are('select * from striatumd.session_liveness', $$ select tap.id('sess', 'one'),
  '2026-11-30T10:00:00Z'::timestamptz $$, 'and it is heard of');
select set_config('striatum.test_now', '2099-01-01T00:00:00Z', true);
select is(tap.code(pg_temp.held()), 'ok', 'past its end it still holds what nobody has expired');

-- refuses
select is(pg_temp.held('two') -> 'error', jsonb_build_object('code', 'lease_not_held', 'message',
  'the lease is not one of this session''s, or is of an earlier attempt', 'details',
  jsonb_build_object(
    'lease_id', tap.id('lease', 'oner.draft'), 'session_id', tap.id('sess', 'two')), 'next',
  array['striatum claim-next', 'striatum why ' || tap.id('sess', 'two')]), 'not another''s');
select is(tap.code(pg_temp.held('one', 'x')), 'lease_not_held', 'nor one that there is not');
update striatumd.jobs set attempt = 2;
select is(tap.code(pg_temp.held()), 'lease_not_held', 'nor one of an earlier attempt');
update striatumd.jobs set attempt = 1;
update striatumd.leases set state = 'expired', ended_at = now(), release_reason = 'x';
select is(pg_temp.held() #>> '{error,message}', 'the lease has ended (x)',
  'nor one that has ended, and why it has');
update striatumd.sessions set state = 'lost', closed_at = now();
select is((pg_temp.held() -> 'error') - 'next', jsonb_build_object('code', 'session_inactive',
  'message', 'the session is lost, and nothing can be done in its name', 'details',
  jsonb_build_object('session_id', tap.id('sess', 'one'), 'session_state', 'lost')),
  'that the session has ended is told before the lease is looked at');
select is(pg_temp.held() #>> '{error,next,1}', format('striatum session register %s author author',
  tap.id('run', 'r')), 'with the way to a new one');
select is((select count(*) from striatumd.session_liveness), 1::bigint,
  'who is refused is not heard of');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.held_lease(null, null, null)', '28000',
  'daemon_authority_missing', 'not without the daemon''s secret');

select * from finish();
rollback;
