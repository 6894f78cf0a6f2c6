-- What a method returns when it did its work.
begin;
select plan(3);

select is(to_jsonb(striatumd.decided('{"a": 1}', '[{"b": 2}]', '[{"c": 3}]')), '{"data": {"a": 1},
  "refusal": null, "events": [{"b": 2}], "effects": [{"c": 3}], "wakes": [],
  "unsettled": null}',
  'data, events and effects, no refusal, and nobody to wake');
select is(to_jsonb(striatumd.decided(null, '[]', '[]')) -> 'data', 'null',
  'without data it decided nothing, which the door finds');
select is(pg_typeof(striatumd.decided('{}', '[]', '[]'))::text, 'striatumd.decision', 'a decision');

select * from finish();
rollback;
