-- session.register: who may work in a run, in which role and lane.
-- STR-SESSION-01: a session has a role and a lane, an opaque id and a slug to be called by.
-- STR-REVIEW-12: a fresh reviewer beside an author only with a reason, which is kept word for word.
-- STR-BYLINE-06: a label does not look like what attests.
begin;
select plan(24);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage(), tap.run_stage('other');
create function pg_temp.register(p_role text, p_lane text, p_more jsonb default '{}')
  returns jsonb language sql as $$
  select tap.ask('ada', 'session.register', jsonb_build_object('repository_id',
    tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'), 'role_id', p_role, 'lane_id', p_lane)
    || p_more)
$$;

-- refuses
select is(pg_temp.register('judge', 'author') -> 'error', '{"code": "role_not_found",
  "message": "the workflow has no such role", "details": {"role_id": "judge",
  "roles": ["author", "reviewer"]}, "next": ["striatum session register RUN_ID ROLE_ID LANE_ID"]}',
  'a role that the workflow has not');
select is(tap.code(pg_temp.register('author', 'moon')), 'lane_not_found', 'nor a lane');
select is(tap.code(pg_temp.register('author', 'author',
  jsonb_build_object('operator_label', label))),
  'operator_label_reserved', 'the label ' || label)
  from unnest(array['operator', 'attested', 'lane-attested', 'author', 'reviewer',
    'author-m-author-001', 'operator-x']) as label;
select is(tap.code(pg_temp.register('author', 'author', '{"run_id": "run_0000000000000000"}')),
  'run_not_found', 'a run that there is not');
select is_empty('select from striatumd.sessions', 'nobody was registered by that');

-- does
create temp table author as select pg_temp.register('author', 'author',
  '{"operator_label": "desk.1"}') as reply;
select matches(reply #>> '{data,session_id}', '^sess_[0-9a-f]{16}$', 'a session is registered')
  from author;
select is(reply -> 'data' #- '{session_id}', jsonb_build_object('slug', 'author-author-1',
  'run_id', tap.id('run', 'r'), 'role_id', 'author', 'lane_id', 'author', 'ordinal', 1,
  'state', 'active', 'operator_label', 'desk.1', 'non_fresh_reason', null,
  'registered_at', '2026-11-30T10:00:00.000000Z', 'closed_at', null, 'close_reason', null,
  'close_note', null), 'with its slug') from author;
select is(pg_temp.register('author', 'author') #>> '{data,slug}', 'author-author-2',
  'the next one has the next number');
select rows_are('select * from tap.events()', array['session.registered: session -> active',
  'session.registered: session -> active'], 'each with its event');
select is((select last_seen_at from striatumd.session_liveness limit 1),
  '2026-11-30T10:00:00Z', 'and was heard of');

-- a fresh reviewer
select is(pg_temp.register('reviewer', 'reviewer') -> 'error', jsonb_build_object('code',
  'session_not_fresh', 'message',
  'an author of the run is active, so that the reviewer would not be fresh', 'details',
  jsonb_build_object('author_session_id', a), 'next', jsonb_build_array(
    format('striatum session close %s --reason TEXT', a),
    'the same request with --force-non-fresh --reason TEXT')), 'not beside an author')
  from (select min(session_id::text) as a from striatumd.sessions) as s;
create temp table forced as select pg_temp.register('reviewer', 'reviewer',
  '{"force_non_fresh": true, "reason": "One machine;  one model."}') as reply;
select is(reply #>> '{data,non_fresh_reason}', 'One machine;  one model.',
  'but with a reason, word for word') from forced;
select is(tap.code(tap.ask('ada', 'session.register', jsonb_build_object('repository_id',
  tap.id('repo', 'app'), 'run_id', tap.id('run', 'other'), 'role_id', 'reviewer', 'lane_id',
  'reviewer'))), 'ok', 'an author of another run is in nobody''s way');
update striatumd.sessions set state = 'closed', closed_at = now(), close_reason = 'explicit'
 where role_id = 'author';
select is(pg_temp.register('reviewer', 'reviewer', '{"reason": "x"}') #> '{data,non_fresh_reason}',
  'null', 'nor one who has ended; a reason without need is none');
select is(tap.code(pg_temp.register('author', 'author')), 'ok', 'an author may come later');

-- at the boundary
update striatumd.runs set state = 'canceled', stop_reason = 'canceled_by_operator',
  completion_record_json = '{}', completion_record_sha256 = repeat('a', 64), finished_at = now()
 where run_id = tap.id('run', 'r');
select is(pg_temp.register('author', 'author') #> '{error,code}', '"invalid_transition"',
  'a run that has ended takes nobody');

-- around
select tap.session('lane', 'author', 'other');
select is(tap.code(tap.ask('lane', 'session.register', '{}')), 'capability_denied',
  'a session registers none');
select tap.client('bob', '{read, claim}');
select is(tap.code(tap.ask('bob', 'session.register', jsonb_build_object('repository_id',
  tap.id('repo', 'app'), 'run_id', tap.id('run', 'other')))), 'capability_missing',
  'nor who may not write');

select * from finish();
rollback;
