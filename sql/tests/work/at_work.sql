-- What others have to make way for.
begin;
select plan(2);

select tap.open_door(), tap.run_stage();
update striatumd.jobs set spec = spec || '{"parallel_group": "g"}';
select is(striatumd.at_work(j, 'other'), jsonb_build_object('job_id', job_id, 'job', 'draft',
  'lane_id', 'other', 'group', 'g', 'scope', spec -> 'write_scope'), 'in the lane of who holds it')
  from striatumd.jobs j where workflow_job_id = 'draft';
select is(striatumd.at_work(j, 'reviewer') -> 'scope', 'null', 'a review is in nobody''s way')
  from striatumd.jobs j where workflow_job_id = 'review';

select * from finish();
rollback;
