-- doctor, active_session_on_terminal_run.
-- STR-SESSION-16: it fires where something went wrong, and not after a clean finish.
begin;
select plan(4);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('ann', 'author');
select is(striatumd.check_terminal_runs() - 'message', '{"plane": "availability",
  "name": "active_session_on_terminal_run", "ok": true, "affected": [], "next": []}',
  'a session of a run under way');

-- does
select tap.ended('r', 'completed');
select is(striatumd.check_terminal_runs() -> 'affected', jsonb_build_array(tap.id('sess', 'ann')),
  'one that outlived its run');
select is(striatumd.check_terminal_runs() -> 'next', jsonb_build_array(format(
  'striatum session close %s --reason TEXT', tap.id('sess', 'ann'))), 'with what to do next');
select striatumd.end_session(tap.call(), tap.id('sess', 'ann'), 'closed', 'run_completed', null);
select is(striatumd.check_terminal_runs() -> 'ok', 'true', 'and one that ended with it');

select * from finish();
rollback;
