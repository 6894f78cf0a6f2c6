-- The columns of a blocker that its events carry.
begin;
select plan(2);

select tap.open_door(), tap.run_stage();
insert into striatumd.blockers (blocker_id, repository_id, run_id, severity, kind, state,
  description, payload_json, opened_at)
values (tap.id('blk', 'b'), tap.id('repo', 'app'), tap.id('run', 'r'), 'blocked', 'x', 'open', 'x',
  '{}', '2026-01-01Z');
select is(array(select jsonb_object_keys(striatumd.blocker_folded(r)) order by 1),
  array(select attname::text from pg_attribute
         where attrelid = 'striatumd.blockers'::regclass and attnum > 0 and not attisdropped
           and attname not in ('blocker_id', 'repository_id', 'run_id', 'description',
             'payload_json')
         order by attname::text), 'each column but prose, its payload, and where it belongs')
  from striatumd.blockers r limit 1;
select is_empty($$ select from striatumd.blockers r,
    jsonb_each_text(striatumd.blocker_folded(r)) f, jsonb_each_text(to_jsonb(r)) c
   where c.key = f.key and c.value is distinct from f.value and c.key !~ '_at$' $$,
  'as the row has it');

select * from finish();
rollback;
