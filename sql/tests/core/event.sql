-- One event of a decision.
begin;
select plan(3);

select is(striatumd.event('repo_1', 'run.started', 'run.start', 'client_1', '[{"of": "run"}]'), '{
  "repository_id": "repo_1", "event_type": "run.started", "payload":
  {"changes": [{"of": "run"}], "reason": "run.start", "by": "client_1"}}',
  'where, what, and the whole change with its reason and who made it');
select is(striatumd.event(null, 'run.started', null, null, '[]'), '{"repository_id": null,
  "event_type": "run.started", "payload": {"changes": [], "reason": null, "by": null}}',
  'what is not known stands there as null');

-- around: a path of the caller's that puts other functions first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.event('a', 'b', 'c', 'd', '[]') ->> 'event_type' as text;
set local search_path = tap, public;
select is((select text from said), 'b', 'none of them is heard');

select * from finish();
rollback;
