-- The columns of an artifact that its event carries.
begin;
select plan(3);

set local timezone = 'Asia/Tokyo';
select tap.open_door(), tap.run_stage(),
       tap.session('ann', 'author'), tap.published('ann', 'r.draft', 'Ann wrote this');
select is(array(select jsonb_object_keys(striatumd.artifact_folded(r)) order by 1),
  array(select attname::text from pg_attribute
         where attrelid = 'striatumd.artifacts'::regclass and attnum > 0 and not attisdropped
           and attname not in ('artifact_id', 'repository_id', 'run_id')
         order by attname::text), 'each column but what never changes of its place')
  from striatumd.artifacts r limit 1;
select is_empty($$ select from striatumd.artifacts r,
    jsonb_each_text(striatumd.artifact_folded(r)) f, jsonb_each_text(to_jsonb(r)) c
   where c.key = f.key and c.value is distinct from f.value and c.key !~ '_at$' $$,
  'as the row has it');
select is(striatumd.artifact_folded(r) ->> 'published_at', '2026-01-02T00:00:00.000000Z',
  'its instant to the microsecond, whatever the zone of the session')
  from striatumd.artifacts r;

select * from finish();
rollback;
