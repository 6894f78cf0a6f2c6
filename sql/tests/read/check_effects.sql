-- doctor, effects: nothing that was ordered in the world was given up, or waits for long.
begin;
select plan(24);

-- given
create function pg_temp.effect(p_n int, p_state text, p_change jsonb default '{}')
  returns text language sql as $$
  select tap.row_of('effects', jsonb_build_object('effect_id', 'eff_' || lpad(p_n::text, 16, '0'),
    'kind', 'scratch_present', 'args', '{"root": "/srv/app"}'::jsonb, 'repository_id', 'r',
    'client_id', 'c', 'request_id', 'q', 'state', p_state,
    'attempts', case p_state when 'planned' then 0 else 1 end,
    'not_before', '2026-11-30T09:00:00Z', 'planned_at', '2026-11-30T09:00:00Z',
    'finished_at', case when p_state in ('done', 'abandoned') then '2026-11-30T09:00:00Z' end,
    'problem', case when p_state in ('failed', 'abandoned') then 'no room' end), p_change)
$$;
create function pg_temp.found(p_at timestamptz, variadic p_effects text[]) returns jsonb
  language sql as $$
  select tap.after(array_to_string(p_effects, ';'),
    format('select striatumd.check_effects(%L)', p_at))::jsonb
$$;
create function pg_temp.affected(p_at timestamptz, variadic p_effects text[]) returns text
  language sql as $$
  select replace(pg_temp.found(p_at, variadic p_effects) ->> 'affected', 'eff_000000000000000', '')
$$;

-- does
select is(striatumd.check_effects('2026-11-30T09:00:00Z'), '{"plane": "availability",
  "name": "effects", "ok": true, "message": "nothing that was ordered is left undone",
  "affected": [], "next": []}', 'nothing was ordered');
select is(pg_temp.found('2026-11-30T09:00:00Z', pg_temp.effect(1, 'abandoned')), '{
  "plane": "availability", "name": "effects", "ok": false,
  "message": "1 effects are not done: no room", "affected": ["eff_0000000000000001"],
  "next": ["striatum repo add /srv/app --init"]}', 'one that was given up');
select is(pg_temp.affected('2026-12-30T09:00:00Z', pg_temp.effect(1, 'done')), '[]',
  'done is done, at any time');
select is(pg_temp.affected('2026-11-30T09:01:00.000001Z', pg_temp.effect(1, state)), '["1"]',
  'waits for more than a minute: ' || state) from unnest(array['planned', 'failed']) as state;
select is(pg_temp.found('2026-11-30T09:01:01Z', pg_temp.effect(1, 'planned')) ->> 'message',
  '1 effects are not done: nobody tried yet', 'also where nothing went wrong');
select is(pg_temp.found('2026-11-30T10:00:00Z', pg_temp.effect(1, 'failed'),
    pg_temp.effect(2, 'planned', '{"kind": "other", "planned_at": "2026-11-30T08:00:00Z"}'),
    pg_temp.effect(3, 'done'), pg_temp.effect(4, 'failed')) - 'plane' - 'name' - 'ok', '{
  "message": "3 effects are not done: no room", "affected": ["eff_0000000000000002",
    "eff_0000000000000001", "eff_0000000000000004"],
  "next": ["striatum doctor", "striatum repo add /srv/app --init"]}',
  'all are named, the oldest first, and each remedy once');

-- does: an agent that could not be started is its run's to tell, unless nobody tells for long
select is(pg_temp.affected('2026-11-30T10:00:00Z',
    pg_temp.effect(1, state, '{"kind": "agent_running"}')), seen, 'an agent''s start, ' || state)
  from (values ('abandoned', '[]'), ('failed', '["1"]'), ('planned', '["1"]'))
    as starts (state, seen);

-- does: a branch that could not be made
select tap.run_stage();
create function pg_temp.branch(p_state text) returns jsonb language sql as $$
  select pg_temp.found('2026-11-30T10:00:00Z', format($sql$ update striatumd.runs set state = %L,
      started_at = case when %1$L = 'running' then now() end, completion_record_json = case
      when %1$L = 'canceled' then '{}' end, completion_record_sha256 = case when %1$L = 'canceled'
      then repeat('e', 64) end, finished_at = case when %1$L = 'canceled' then now() end,
      stop_reason = case when %1$L = 'canceled' then 'canceled_by_operator'
      end::striatumd.stop_reason $sql$, p_state),
    pg_temp.effect(1, 'abandoned', jsonb_build_object('kind', 'branch_present',
      'args', jsonb_build_object('run_id', tap.id('run', 'r')))))
$$;
select is(pg_temp.branch('needs_branch_confirmation') -> 'next', jsonb_build_array(format(
  'striatum branch confirm %s --branch-name NAME', tap.id('run', 'r'))),
  'a branch that could not be made, while its run waits for it');
select is(pg_temp.branch(state) -> 'affected', '[]', 'not of a run that is ' || state)
  from unnest('{ready,running,canceled}'::text[]) as state;
select is(pg_temp.affected('2026-11-30T10:00:00Z', pg_temp.effect(1, 'abandoned',
  '{"kind": "branch_present"}')), '[]', 'nor of none');

-- does: what was given up and then done is well
select is(pg_temp.affected('2026-11-30T11:00:00Z', pg_temp.effect(1, 'abandoned'),
    pg_temp.effect(2, 'done', change)), seen, what) from (values
  ('{"planned_at": "2026-11-30T10:00:00Z"}'::jsonb, '[]', 'ordered again, and done'),
  ('{"planned_at": "2026-11-30T08:00:00Z"}', '["1"]', 'done before it was given up'),
  ('{"planned_at": "2026-11-30T10:00:00Z", "args": {"root": "/srv/b"}}', '["1"]',
    'done elsewhere'),
  ('{"planned_at": "2026-11-30T10:00:00Z", "kind": "other"}', '["1"]', 'another kind done'))
  as later (change, seen, what);
select is(pg_temp.affected('2026-11-30T10:00:00Z', pg_temp.effect(1, 'abandoned'),
    pg_temp.effect(2, 'planned', '{"planned_at": "2026-11-30T10:00:00Z"}')), '["1"]',
  'ordered again and not done yet');

-- at the boundary
select is(pg_temp.affected('2026-11-30T09:01:00Z', pg_temp.effect(1, state)), '[]',
  'a minute is not long: ' || state) from unnest(array['planned', 'failed']) as state;
select is(pg_temp.affected('2026-11-30T09:00:00Z', pg_temp.effect(1, 'abandoned',
  '{"planned_at": "2026-11-30T09:00:00Z"}')), '["1"]', 'given up is given up at once');
select is(pg_temp.found('2026-11-30T09:00:00Z', pg_temp.effect(1, 'abandoned',
  '{"kind": "other"}')) -> 'next', '["striatum doctor"]', 'every kind has a next step');

select * from finish();
rollback;
