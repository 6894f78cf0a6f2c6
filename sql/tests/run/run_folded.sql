-- The columns of a run that its events carry.
begin;
select plan(4);

select tap.open_door(), tap.run_stage();
select is(array(select jsonb_object_keys(striatumd.run_folded(r)) order by 1),
  array(select attname::text from pg_attribute
         where attrelid = 'striatumd.runs'::regclass and attnum > 0 and not attisdropped
           and attname not in ('run_id', 'repository_id', 'completion_record_json')
         order by attname::text),
  'each column but its place, and its record, of which they carry the hash')
  from striatumd.runs r limit 1;
select is_empty($$ select from striatumd.runs r,
    jsonb_each_text(striatumd.run_folded(r)) f, jsonb_each_text(to_jsonb(r)) c
   where c.key = f.key and c.value is distinct from f.value and c.key !~ '_at$' $$,
  'as the row has it');
select is(striatumd.run_folded(r) -> 'finished_at', 'null', 'what is not there is there as null')
  from striatumd.runs r;
select tap.ended('r', 'completed');
select is(jsonb_path_query_array(striatumd.run_folded(r), '$.*') @>
  jsonb_build_array(repeat('e', 64), '2026-01-01T00:00:00.000000Z', '2026-01-03T00:00:00.000000Z'),
  true, 'the hash and the instants of one that ended') from striatumd.runs r;

select * from finish();
rollback;
