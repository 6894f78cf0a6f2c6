-- The effects that a decision orders.
begin;
select plan(9);

-- given
select tap.open_door();
create function pg_temp.plan(p_effects jsonb, p_repository text default 'r') returns jsonb
  language sql as $$
  select tap.authorize();
  select striatumd.plan_effects(('c', 'p', 's', p_repository, null, '{}', 'r-1', '{}',
    '2026-11-30T10:00:00.5Z')::striatumd.call_context, p_effects)
$$;

-- does
create temp table planned as select pg_temp.plan('[{"kind": "b_there", "args": {"n": 1}},
  {"kind": "a_there", "args": {"n": 2}, "repository_id": "q"},
  {"kind": "b_there", "args": {"n": 3}}]')
  as ids;
select is(ids, (select jsonb_agg(effect_id order by args) from striatumd.effects),
  'the answer is their ids, in the order of the decision') from planned;
select matches(id, '^eff_[0-9a-f]{16}$', 'each a new one') from planned,
  jsonb_array_elements_text(ids) as id limit 1;
select is(to_jsonb(e) - 'effect_id' - 'not_before' - 'planned_at', '{"kind": "b_there", "args":
  {"n": 1}, "repository_id": "r", "client_id": "c", "request_id": "r-1", "state": "planned",
  "attempts": 0, "finished_at": null, "problem": null}', 'each waits, for the request of its order')
  from striatumd.effects e where args = '{"n": 1}';
select is((not_before, planned_at), (timestamptz '2026-11-30T10:00:00.5Z',
  timestamptz '2026-11-30T10:00:00.5Z'), 'due at once') from striatumd.effects
 where args = '{"n": 1}';
select is(repository_id, 'q', 'it may be of another repository than the call')
  from striatumd.effects where args = '{"n": 2}';

-- at the boundary
select is(pg_temp.plan('[]'), '[]', 'none, none');
select is(jsonb_array_length(pg_temp.plan('[{"kind": "c_there", "args": {}}]', null)), 1,
  'an effect may be of no repository');

-- refuses
select throws_ok($$ select pg_temp.plan('[{"kind": "b_there"}]') $$, '23502', null,
  'an effect has arguments');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.plan_effects(null, '[]') $$, '28000',
  'daemon_authority_missing', 'nothing is ordered without the daemon''s secret');

select * from finish();
rollback;
