-- One entry of an event's changes.
begin;
select plan(4);

select is(striatumd.change('run', 'run_1', '{"state": "ready"}', '{"state": "running"}'),
  '{"of": "run", "id": "run_1", "from": {"state": "ready"}, "to": {"state": "running"}}',
  'a thing, and it before and after');
select is(striatumd.change('run', 'run_1', null, '{"a": null}'),
  '{"of": "run", "id": "run_1", "from": null, "to": {"a": null}}', 'a creation has no before');
select is(striatumd.change('run', 'run_1', '{}', null),
  '{"of": "run", "id": "run_1", "from": {}, "to": null}', 'an end no after');

-- around: a path of the caller's that puts other functions first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.change('a', 'b', null, null)::text as text;
set local search_path = tap, public;
select is((select text from said), '{"id": "b", "of": "a", "to": null, "from": null}',
  'none of them is heard');

select * from finish();
rollback;
