-- What doctor has to know of the daemon's host.
begin;
select plan(2);

select is(striatumd.observe_daemon_host(null, '{"whole": true}'), '{}',
  'the observer is told nothing: it looks at its own process');
select tap.open_door();
select is(tap.ask('ada', 'doctor', '{}', '{}', '{"phase": "preflight"}'),
  '{"ok": true, "observe": {"daemon_host": {}}}', 'doctor asks for it');

select * from finish();
rollback;
