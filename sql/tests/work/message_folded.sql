-- The columns of a queue message that its events carry.
begin;
select plan(2);

select tap.open_door(), tap.run_stage();
select is(array(select jsonb_object_keys(striatumd.message_folded(r)) order by 1),
  array(select attname::text from pg_attribute
         where attrelid = 'striatumd.queue_messages'::regclass and attnum > 0 and not attisdropped
           and attname not in ('message_id', 'message_number', 'repository_id', 'run_id')
         order by attname::text), 'each column but what orders it and where it belongs')
  from striatumd.queue_messages r limit 1;
select is_empty($$ select from striatumd.queue_messages r,
    jsonb_each_text(striatumd.message_folded(r)) f, jsonb_each_text(to_jsonb(r)) c
   where c.key = f.key and c.value is distinct from f.value and c.key !~ '_at$' $$,
  'as the row has it');

select * from finish();
rollback;
