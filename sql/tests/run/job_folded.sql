-- The columns of a job that its events carry.
begin;
select plan(2);

select tap.open_door(), tap.run_stage();
select is(array(select jsonb_object_keys(striatumd.job_folded(r)) order by 1),
  array(select attname::text from pg_attribute
         where attrelid = 'striatumd.jobs'::regclass and attnum > 0 and not attisdropped
           and attname not in ('job_id', 'repository_id', 'run_id', 'spec')
         order by attname::text), 'each column but where it belongs, and what the snapshot has')
  from striatumd.jobs r limit 1;
select is_empty($$ select from striatumd.jobs r,
    jsonb_each_text(striatumd.job_folded(r)) f, jsonb_each_text(to_jsonb(r)) c
   where c.key = f.key and c.value is distinct from f.value and c.key !~ '_at$' $$,
  'as the row has it');

select * from finish();
rollback;
