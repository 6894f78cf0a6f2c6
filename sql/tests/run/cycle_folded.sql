-- The columns of a revision cycle that its events carry.
begin;
select plan(2);

select tap.open_door(), tap.run_stage();
select is(array(select jsonb_object_keys(striatumd.cycle_folded(r)) order by 1),
  array(select attname::text from pg_attribute
         where attrelid = 'striatumd.job_cycles'::regclass and attnum > 0 and not attisdropped
           and attname not in ('run_id', 'from_job_id')
         order by attname::text), 'each column but its key, which is the review''s')
  from striatumd.job_cycles r limit 1;
select is_empty($$ select from striatumd.job_cycles r,
    jsonb_each_text(striatumd.cycle_folded(r)) f, jsonb_each_text(to_jsonb(r)) c
   where c.key = f.key and c.value is distinct from f.value and c.key !~ '_at$' $$,
  'as the row has it');

select * from finish();
rollback;
