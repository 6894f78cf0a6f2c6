-- What settles a branch. The problem that it heeds: see branch_problem.
begin;
select plan(1);

select tap.open_door(), tap.authorize(), tap.run_stage();
select is(striatumd.branch_command(r), 'striatum branch confirm ' || run_id, 'of a run')
  from striatumd.runs r;

select * from finish();
rollback;
