-- What a session is told that gets no work.
begin;
select plan(3);

select tap.open_door(), tap.run_stage(), tap.session('one', 'author');
select is(striatumd.no_work(s, 'queue_empty'), jsonb_build_object('type', 'none', 'status',
  'no_work', 'reason', 'queue_empty', 'run_id', run_id, 'session_id', session_id, 'session_state',
  'active', 'idle_behavior', 'exit_session'), 'that there is none, and to go')
  from striatumd.sessions s;
select is(striatumd.no_work(s, 'x', '{"a": null}') -> 'a', 'null', 'and more, as it is')
  from striatumd.sessions s;
update striatumd.sessions set state = 'stopped', closed_at = now();
select is(striatumd.no_work(s, 'x') ->> 'next_action', 'register_fresh_session',
  'one that has ended, what to do') from striatumd.sessions s;

select * from finish();
rollback;
