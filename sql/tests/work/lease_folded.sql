-- The columns of a lease that its events carry.
begin;
select plan(2);

select tap.open_door(), tap.run_stage(),
       tap.session('one', 'author'), tap.leased('one', 'r.draft');
select is(array(select jsonb_object_keys(striatumd.lease_folded(r)) order by 1),
  array(select attname::text from pg_attribute
         where attrelid = 'striatumd.leases'::regclass and attnum > 0 and not attisdropped
           and attname not in ('lease_id', 'repository_id', 'run_id', 'expires_at')
         order by attname::text), 'each column but when it expires, and where it belongs')
  from striatumd.leases r limit 1;
select is_empty($$ select from striatumd.leases r,
    jsonb_each_text(striatumd.lease_folded(r)) f, jsonb_each_text(to_jsonb(r)) c
   where c.key = f.key and c.value is distinct from f.value and c.key !~ '_at$' $$,
  'as the row has it');

select * from finish();
rollback;
