-- The columns of a session that its events carry.
begin;
select plan(2);

select tap.open_door(), tap.run_stage(),
       tap.session('one', 'author');
select is(array(select jsonb_object_keys(striatumd.session_folded(r)) order by 1),
  array(select attname::text from pg_attribute
         where attrelid = 'striatumd.sessions'::regclass and attnum > 0 and not attisdropped
           and attname not in ('session_id', 'repository_id', 'run_id')
         order by attname::text), 'each column but what never changes of its place')
  from striatumd.sessions r limit 1;
select is_empty($$ select from striatumd.sessions r,
    jsonb_each_text(striatumd.session_folded(r)) f, jsonb_each_text(to_jsonb(r)) c
   where c.key = f.key and c.value is distinct from f.value and c.key !~ '_at$' $$,
  'as the row has it');

select * from finish();
rollback;
