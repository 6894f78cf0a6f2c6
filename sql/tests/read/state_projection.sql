-- The states of a run and of its jobs.
begin;
select plan(2);

select tap.open_door();
select tap.run_stage();
select is(striatumd.state_projection(tap.id('run', 'r')), '{"run_state": "running", "jobs": [
  {"id": "draft", "state": "queued"}, {"id": "review", "state": "pending"},
  {"id": "synthesis", "state": "pending"}]}', 'by the names of the workflow, in its order');
select is(striatumd.state_projection(null), '{"run_state": null, "jobs": []}', 'without a run');

select * from finish();
rollback;
