-- Whom events wake.
begin;
select plan(15);

create function pg_temp.wakes(p_changes jsonb, p_run text default 'run_1') returns jsonb
  language sql as $$
  select striatumd.wakes(jsonb_build_array(jsonb_build_object('run_id', p_run,
    'payload', jsonb_build_object('changes', p_changes))))
$$;

select is(pg_temp.wakes(jsonb_build_array(changed::jsonb)), '["events:run_1", "run:run_1"]',
  'whoever waits for work: ' || says)
  from (values ('{"of": "message", "from": null, "to": {"state": "pending"}}', 'new work'),
    ('{"of": "message", "from": {"state": "claimed"}, "to": {"state": "pending"}}', 'work again'),
    ('{"of": "supervisor", "to": {"state": "attached"}}', 'an agent stands'),
    ('{"of": "lease", "to": {"state": "released"}}', 'a lease ended'),
    ('{"of": "session", "to": {"state": "closed"}}', 'a session ended'),
    ('{"of": "run", "to": {"state": "completed"}}', 'the run ended')) as c (changed, says);
select is(pg_temp.wakes(jsonb_build_array(changed::jsonb)), '["events:run_1"]',
  'whoever waits for events alone: ' || says)
  from (values ('{"of": "message", "to": {"state": "claimed"}}', 'work was taken'),
    ('{"of": "job", "to": {"state": "pending"}}', 'a job waits for others'),
    ('{"of": "lease", "to": {"state": "active"}}', 'a lease')) as c (changed, says);
select is(pg_temp.wakes('[]'), '["events:run_1"]', 'and so does one that changed nothing');
select is(pg_temp.wakes('[{"of": "run", "to": {}}]', null), '[]', 'nobody: of no run');
select is(striatumd.wakes('[]'), '[]', 'nobody: no event');
select is(striatumd.wakes('[{"run_id": "b", "payload": {"changes": [{"of": "run"}]}},
  {"run_id": "a", "payload": {"changes": [{"of": "x"}, {"of": "run"}]}},
  {"run_id": "b", "payload": {"changes": [{"of": "session"}]}},
  {"run_id": "c", "payload": {"changes": []}}]'),
  '["events:a", "events:b", "events:c", "run:a", "run:b"]', 'each run once');
select is((striatumd.decided('{}', '[{"run_id": "a", "payload": {"changes": [{"of": "run"}]}}]',
  '[]')).wakes, '["events:a", "run:a"]', 'a decision carries them');

-- around: a path of the caller's that puts other functions first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.wakes(
  '[{"run_id": "a", "payload": {"changes": [{"of": "run"}]}}]')::text as text;
set local search_path = tap, public;
select is((select text from said), '["events:a", "run:a"]', 'no other function is heard');

select * from finish();
rollback;
