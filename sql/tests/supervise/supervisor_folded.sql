-- The columns of a supervisor that its events carry.
begin;
select plan(2);

select tap.open_door();
select tap.run_stage();
select tap.session('s', 'author', p_supervisor => 'stopped');
update striatumd.process_supervisors set exit_signal = 9, end_reason = 'agent exited';

select is(striatumd.supervisor_folded(u), jsonb_build_object('session_id', tap.id('sess', 's'),
  'state', 'stopped', 'command', '["agent", "author"]'::jsonb, 'client_id', tap.client_id('s'),
  'agent_pid', 4711, 'agent_start_token', 'boot:1', 'terminal', '/dev/pts/7',
  'observed_command', '["/usr/bin/agent", "author"]'::jsonb,
  'started_at', '2026-01-01T00:00:00.000000Z', 'ended_at', '2026-01-01T00:00:00.000000Z',
  'exit_code', null, 'exit_signal', 9, 'end_reason', 'agent exited'),
  'all but its helper, which is the daemon''s own business') from striatumd.process_supervisors u;

-- around: a path of the caller's that puts other functions first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as
  select striatumd.supervisor_folded(u) ->> 'started_at' as text
    from striatumd.process_supervisors u;
set local search_path = tap, public;
select is((select text from said), '2026-01-01T00:00:00.000000Z', 'none of them is heard');

select * from finish();
rollback;
