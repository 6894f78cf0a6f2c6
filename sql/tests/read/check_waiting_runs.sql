-- doctor, run_needs_operator.
begin;
select plan(2);

-- given
select tap.open_door();
select tap.run_stage();
select tap.run_stage('s');
select is(striatumd.check_waiting_runs(), '{"plane": "availability", "name": "run_needs_operator",
  "ok": true, "is_warning": false, "message": "no run needs an operator",
  "affected": [], "next": []}', 'none');

-- does
update striatumd.runs set state = 'needs_operator', stop_reason = 'provenance_gate_failed'
 where run_id = tap.id('run', 's');
select is(striatumd.check_waiting_runs(), jsonb_build_object('plane', 'availability',
  'name', 'run_needs_operator', 'ok', true, 'is_warning', true,
  'message', '1 runs need an operator: striatum why ' || tap.id('run', 's'),
  'affected', jsonb_build_array(tap.id('run', 's')),
  'next', jsonb_build_array('striatum why ' || tap.id('run', 's'))), 'one that does');

select * from finish();
rollback;
