-- One entry of an event's changes, for a row that was there before.
begin;
select plan(5);

select is(striatumd.moved('run', 'run_1', '{"state": "ready", "name": "n", "at": null}',
    '{"state": "running", "name": "n", "at": null}'),
  '{"of": "run", "id": "run_1", "from": {"state": "ready"}, "to": {"state": "running"}}',
  'a thing, and what differs of it');
select is(striatumd.moved('run', 'run_1', '{"a": null, "b": [1], "c": 1}',
    '{"a": 1, "b": [2], "c": null}'),
  '{"of": "run", "id": "run_1", "from": {"a": null, "b": [1], "c": 1},
    "to": {"a": 1, "b": [2], "c": null}}', 'also from nothing, within, and to nothing');
select is(striatumd.moved('run', 'run_1', '{"a": 1}', '{"a": 1}'),
  '{"of": "run", "id": "run_1", "from": {}, "to": {}}', 'nothing where nothing does');
select is(striatumd.moved('run', 'run_1', '{"a": 1, "b": 2}', '{"a": 3}') -> 'from', '{"a": 1}',
  'by the columns that it has afterwards');

-- around: a path of the caller's that puts other functions first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.moved('a', 'b', '{"c": 1}', '{"c": 2}')::text as text;
set local search_path = tap, public;
select is((select text::jsonb from said),
  '{"id": "b", "of": "a", "to": {"c": 2}, "from": {"c": 1}}', 'none of them is heard');

select * from finish();
rollback;
