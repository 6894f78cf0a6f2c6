-- A change of an event in short.
begin;
select plan(6);

select is(striatumd.change_shown(striatumd.change('job', 'j', was, became), name), shown, shown)
  from (values
  ('{"state": "queued", "x": 1}'::jsonb, '{"state": "claimed", "x": 2}'::jsonb, 'draft',
    'job draft queued -> claimed'),
  ('{"state": "queued"}', '{"state": "claimed"}', null, 'job j queued -> claimed'),
  ('null', '{"state": "pending", "x": 1}', 'draft', 'job draft pending'),
  ('null', '{"iterations": 0}', null, 'job j is new'),
  ('{"b": 0, "a": null}', '{"b": 1, "a": "x"}', null, 'job j a x, b 0 -> 1'),
  ('{}', '{}', null, 'job j')) as changes (was, became, name, shown);

select * from finish();
rollback;
