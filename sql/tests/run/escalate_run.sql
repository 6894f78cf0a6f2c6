-- A run is handed to an operator. When: see maybe_complete_run.
begin;
select plan(3);

select tap.open_door(), tap.run_stage(), tap.authorize();
create temp table given as select striatumd.escalate_run(tap.call(), 'artifact_unreachable',
  'it is gone', '{"artifacts": ["a", "b"]}') as events;
select is(jsonb_build_array(e -> 'event_type', e #> '{payload,reason}', e #> '{payload,reasons}'),
  '["run.escalated", "artifact_unreachable", 2]', 'by one event')
  from given, jsonb_array_elements(events) as e;
select rows_are('select state, stop_reason from striatumd.runs',
  $$ values ('needs_operator', 'artifact_unreachable') $$, 'with the reason');
select rows_are('select job_id, severity, kind, state, description, payload_json::jsonb
    from striatumd.blockers', $$ values (null, 'human_checkpoint', 'artifact_unreachable', 'open',
  'it is gone', '{"schema_version": "striatum.blocker_payload.v1",
    "artifacts": ["a", "b"]}'::jsonb) $$, 'behind one blocker of the run');

select * from finish();
rollback;
