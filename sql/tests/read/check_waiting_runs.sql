-- doctor, run_needs_operator.
begin;
select plan(3);

-- given
select tap.open_door();
select tap.run_stage();
select tap.run_stage('s');
select is(striatumd.check_waiting_runs(), '{"plane": "availability", "name": "run_needs_operator",
  "ok": true, "is_warning": false, "message": "no run waits for an operator",
  "affected": [], "next": []}', 'none');

-- does
update striatumd.runs set state = 'needs_operator', stop_reason = 'provenance_gate_failed'
 where run_id = tap.id('run', 's');
select is(striatumd.check_waiting_runs(), jsonb_build_object('plane', 'availability',
  'name', 'run_needs_operator', 'ok', true, 'is_warning', true,
  'message', 'runs that wait for an operator: 1',
  'affected', jsonb_build_array(tap.id('run', 's')),
  'next', jsonb_build_array('striatum why ' || tap.id('run', 's'))), 'one that does');
select tap.authorize();
select striatumd.open_blocker(tap.call(), tap.id('job', 'r.draft'), 'blocked', 'x', 'X', '{}');
select is(striatumd.check_waiting_runs() -> 'message', '"runs that wait for an operator: 2"',
  'one of whose jobs waits for one, too');

select * from finish();
rollback;
