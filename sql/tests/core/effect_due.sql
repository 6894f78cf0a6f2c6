-- effect.due: what waits to be performed.
begin;
select plan(13);

-- given
select tap.open_door();
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
create function pg_temp.due() returns jsonb language sql as $$
  select tap.ask(null, 'effect.due', '{}', '{}', '{"transport": "internal"}') -> 'data'
$$;
create function pg_temp.effect(p_n int, p_not_before timestamptz, p_change jsonb default '{}')
  returns void language plpgsql as $$
begin
  execute tap.row_of('effects', jsonb_build_object('effect_id', 'eff_' || lpad(p_n::text, 16, '0'),
    'kind', 'thing_there', 'args', jsonb_build_object('n', p_n), 'client_id', 'c', 'request_id',
    'r-' || p_n, 'state', 'planned', 'attempts', 0, 'not_before', p_not_before,
    'planned_at', '2026-11-30T09:00:00Z'), p_change);
end
$$;

-- does
select is(pg_temp.due(), '{"due": [], "next_in_ms": null}', 'nothing waits');
select pg_temp.effect(2, '2026-11-30T10:00:00Z'),
       pg_temp.effect(1, '2026-11-30T09:59:59Z', '{"planned_at": "2026-11-30T09:00:01Z"}'),
       pg_temp.effect(3, '2026-11-30T09:00:00Z',
         '{"state": "failed", "attempts": 4, "problem": "no",
           "planned_at": "2026-11-30T08:00:00Z"}'),
       pg_temp.effect(4, '2026-11-30T09:00:00Z',
         '{"state": "done", "attempts": 1, "finished_at": "2026-11-30T09:00:00Z"}'),
       pg_temp.effect(5, '2026-11-30T09:00:00Z', '{"state": "abandoned", "attempts": 8,
         "problem": "no", "finished_at": "2026-11-30T09:00:00Z"}');
select is(pg_temp.due() -> 'due', '[
  {"effect_id": "eff_0000000000000003", "kind": "thing_there", "args": {"n": 3}, "attempt": 5,
   "target": "eff_0000000000000003", "client_id": "c", "request_id": "r-3"},
  {"effect_id": "eff_0000000000000002", "kind": "thing_there", "args": {"n": 2}, "attempt": 1,
   "target": "eff_0000000000000002", "client_id": "c", "request_id": "r-2"},
  {"effect_id": "eff_0000000000000001", "kind": "thing_there", "args": {"n": 1}, "attempt": 1,
   "target": "eff_0000000000000001", "client_id": "c", "request_id": "r-1"}]',
  'what was planned or failed and is due, the oldest first, with the attempt that comes next');
select is(pg_temp.due() -> 'next_in_ms', 'null', 'nothing comes later');
select pg_temp.effect(6, '2026-11-30T10:00:00.0011Z'), pg_temp.effect(7, '2026-11-30T10:01:00Z');
select is(jsonb_array_length(pg_temp.due() -> 'due'), 3, 'what is not due yet is not told');
select is(pg_temp.due() -> 'next_in_ms', '2', 'but when the next one will be, never too early');
select is(jsonb_typeof(pg_temp.due() -> 'next_in_ms'), 'number', 'in whole milliseconds');

-- does: one a target
create function pg_temp.targets() returns setof text language sql as $$
  select d ->> 'request_id' from jsonb_array_elements(pg_temp.due() -> 'due')
    with ordinality as e (d, n) where d ->> 'target' not like 'eff%' order by n
$$;
select pg_temp.effect(10, '2026-11-30T09:30:00Z', '{"args": {"supervisor_id": "sup_1"},
         "repository_id": "repo_1", "planned_at": "2026-11-30T09:00:01Z"}'),
       pg_temp.effect(11, '2026-11-30T09:00:00Z', '{"args": {"supervisor_id": "sup_1"},
         "repository_id": "repo_1", "planned_at": "2026-11-30T09:00:02Z"}'),
       pg_temp.effect(12, '2026-11-30T09:00:00Z', '{"args": {"supervisor_id": "sup_2"},
         "repository_id": "repo_1", "planned_at": "2026-11-30T09:00:03Z"}'),
       pg_temp.effect(13, '2026-11-30T09:00:00Z', '{"repository_id": "repo_1",
         "planned_at": "2026-11-30T09:00:04Z"}'),
       pg_temp.effect(14, '2026-11-30T09:00:00Z', '{"repository_id": "repo_1",
         "planned_at": "2026-11-30T09:00:05Z"}');
select tap.rows_are('select pg_temp.targets()', array['r-10', 'r-12', 'r-13'],
  'of each supervisor and each repository the oldest effect alone is told');
update striatumd.effects set state = 'done', attempts = 1, finished_at = '2026-11-30T10:00:00Z'
 where request_id = 'r-10';
select tap.rows_are('select pg_temp.targets()', array['r-11', 'r-12', 'r-13'],
  'and the next one once that is done');
update striatumd.effects set state = 'failed', attempts = 1, problem = 'no',
       not_before = '2026-11-30T10:00:01Z' where request_id = 'r-13';
select tap.rows_are('select pg_temp.targets()', array['r-11', 'r-12', 'r-14'],
  'one that waits for its next attempt holds up nobody');
update striatumd.effects set state = 'done', finished_at = '2026-11-30T10:00:00Z', attempts = 1
 where request_id in ('r-11', 'r-12', 'r-13', 'r-14');

-- at the boundary
select pg_temp.effect(n, '2026-11-30T09:59:59Z') from generate_series(100, 199) as n;
select is(jsonb_array_length(pg_temp.due() -> 'due'), 100, 'a hundred at most');

-- around
select is(tap.code(tap.ask('ada', 'effect.due', '{}')), 'method_unknown',
  'nobody but the daemon is told');
select throws_ok($$ select striatumd.effect_due(null, '{}') $$, '28000', 'daemon_authority_missing',
  'and it not without its secret');
select is(method || ' ' || client_id, 'effect.due striatumd-i-1', 'each look is on record')
  from striatumd.audit_log where decision = 'allowed' limit 1;

select * from finish();
rollback;
