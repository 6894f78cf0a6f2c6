-- The tables of bundle V0007__requests: each state that may not be is refused by name.
begin;
select plan(48);

-- striatumd.command_requests
create function pg_temp.request(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('command_requests', jsonb_build_object('client_id', 'c', 'request_id', 'r-1',
    'principal_id', null, 'method', 'repo.add', 'params_sha256', repeat('0', 64),
    'reply', '{"ok": true, "data": {}}'::jsonb, 'stored_at', '2026-11-30T10:00:00Z'), p_change)
$$;
select tap.refused(pg_temp.request(jsonb_build_object('reply', reply)),
  'stored_reply_is_data_or_error')
  from unnest(array['{"ok": false}', '{"ok": true}', '{"ok": true, "error": {}}',
    '{"ok": false, "data": {}}']::jsonb[]) as reply;
select throws_ok(pg_temp.request(jsonb_build_object(name, null)), '23502', null,
  'a stored request has its ' || name)
  from unnest(array['client_id', 'request_id', 'method', 'params_sha256', 'reply',
    'stored_at']) as name;
select lives_ok(pg_temp.request(), 'a good row is taken');
select tap.refused(pg_temp.request('{"method": "other"}'), 'command_requests_one_a_request');
select lives_ok(pg_temp.request('{"client_id": "d"}'), 'another client has its own request r-1');
select lives_ok(pg_temp.request('{"request_id": "r-2", "reply": {"ok": false, "error": {}}}'),
  'a refusal that was kept is a reply, too');

-- striatumd.effects
create function pg_temp.effect(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('effects', '{"effect_id": "eff_0123456789abcdef", "kind": "scratch_present",
    "args": {}, "repository_id": null, "client_id": "c", "request_id": "r-1", "state": "planned",
    "attempts": 0, "not_before": "2026-11-30T10:00:00Z", "planned_at": "2026-11-30T10:00:00Z",
    "finished_at": null, "problem": null}', p_change)
$$;
select enum_has_labels('striatumd', 'effect_state',
  array['planned', 'done', 'failed', 'abandoned'], 'the states of an effect');
select throws_ok(pg_temp.effect('{"state": "lost"}'), '22P02', null, 'are all that it can be in');
select throws_ok(pg_temp.effect(jsonb_build_object(name, null)), '23502', null,
  'an effect has its ' || name)
  from unnest(array['effect_id', 'kind', 'args', 'client_id', 'request_id', 'state', 'attempts',
    'not_before', 'planned_at']) as name;
select tap.refused(pg_temp.effect(jsonb_build_object('effect_id', id)), 'effect_id_is_prefixed')
  from unnest(array['', 'eff_', 'job_0123456789abcdef', 'eff_0123456789ABCDEF',
    'eff_0123456789abcdef0']) as id;
select tap.refused(pg_temp.effect(jsonb_build_object('kind', kind)), 'effects_kind_is_a_word')
  from unnest(array['', 'Scratch', 'a__b', '_a', 'a b']) as kind;
select tap.refused(pg_temp.effect('{"args": []}'), 'effects_args_is_an_object');
select tap.refused(pg_temp.effect('{"state": "failed", "problem": "no", "attempts": -1}'),
  'effects_attempts_count');
select tap.refused(pg_temp.effect('{"attempts": 1}'), 'effects_planned_was_never_tried');
select tap.refused(pg_temp.effect(change), 'effects_finished_has_an_instant')
  from unnest(array['{"state": "done", "attempts": 1}',
    '{"state": "abandoned", "attempts": 1, "problem": "no"}',
    '{"finished_at": "2026-11-30T10:00:00Z"}',
    '{"state": "failed", "attempts": 1, "problem": "no", "finished_at": "2026-11-30T10:00:00Z"}'
    ]::jsonb[]) as change;
select tap.refused(pg_temp.effect('{"state": "failed", "attempts": 1}'),
  'effects_failure_has_a_problem');
select tap.refused(pg_temp.effect('{"state": "abandoned", "attempts": 1,
  "finished_at": "2026-11-30T10:00:00Z"}'), 'effects_failure_has_a_problem');
select tap.refused(pg_temp.effect(jsonb_build_object('problem', repeat('x', 1001))),
  'effects_problem_is_short');
select lives_ok(pg_temp.effect(), 'a good row is taken');
select tap.refused(pg_temp.effect('{"kind": "other"}'), 'effects_are_distinct');
select lives_ok(pg_temp.effect(jsonb_build_object('effect_id', 'eff_0123456789abcde0', 'state',
  'abandoned', 'attempts', 8, 'problem', repeat('x', 1000), 'finished_at', '2026-11-30T10:00:00Z')),
  'and one that was given up');

select * from finish();
rollback;
