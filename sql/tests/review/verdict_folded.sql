-- The columns of a verdict that its event carries.
begin;
select plan(4);

set local timezone = 'Asia/Tokyo';
select tap.open_door(), tap.run_stage(),
       tap.session('ben', 'reviewer'), tap.judged('ben', 'r.review', 'reject');
select is(array(select jsonb_object_keys(striatumd.verdict_folded(r)) order by 1),
  array(select attname::text from pg_attribute
         where attrelid = 'striatumd.verdicts'::regclass and attnum > 0 and not attisdropped
           and attname not in ('verdict_id', 'verdict_number', 'repository_id', 'run_id',
             'rationale')
         order by attname::text), 'each column but prose, what orders it, and where it belongs')
  from striatumd.verdicts r limit 1;
select is_empty($$ select from striatumd.verdicts r,
    jsonb_each_text(striatumd.verdict_folded(r)) f, jsonb_each_text(to_jsonb(r)) c
   where c.key = f.key and c.value is distinct from f.value and c.key !~ '_at$' $$,
  'as the row has it');
select is(striatumd.verdict_folded(r) ->> 'recorded_at', '2026-01-02T00:00:00.000000Z',
  'its instant to the microsecond, whatever the zone of the session')
  from striatumd.verdicts r;
select is(striatumd.verdict_folded(jsonb_populate_record(r, '{"rationale": "Secret"}')),
  striatumd.verdict_folded(r), 'a rationale changes nothing of it') from striatumd.verdicts r;

select * from finish();
rollback;
