-- Why a job may not be completed now; more of it through the door, in complete.
begin;
select plan(4);

select tap.open_door(), tap.run_stage(), tap.authorize();
create function pg_temp.problem(p_job text) returns text language sql as $$
  select striatumd.completion_problem(j) from striatumd.jobs j where workflow_job_id = p_job
$$;
select is(pg_temp.problem('review'), 'the job ends by a verdict', 'it ends by a verdict');
select is(pg_temp.problem('draft'), 'the job is queued, and only a running one is completed',
  'it does not run');
update striatumd.jobs set state = 'running';
select is(pg_temp.problem('draft'), null, 'nothing leads to it');
select is(pg_temp.problem('synthesis'),
  'review leads to it, and is not completed or not accepted', 'what leads to it is not done');

select * from finish();
rollback;
