-- repo.remove: a registration ends, and what it leaves.
-- STR-REGISTRY-06: once or twice is the same; what was granted for it is taken back, its record
-- stays, and its id is never used again.
begin;
select plan(40);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door();
create temp table at as select tap.repository('app') as app, tap.repository('other') as other;
select tap.client('bob', '{read, write}'), tap.client('own', '{admin, read}', app),
       tap.client('next', '{admin}', other), tap.client('lane', '{admin}', app) from at;
insert into striatumd.client_capabilities
  (client_id, capability, repository_id, granted_at, revoked_at)
select tap.client_id('bob'), capability::striatumd.capability, repository_id, '2026-01-01Z',
       revoked_at
  from at, lateral (values ('claim', app, null::timestamptz), ('claim', other, null),
                           ('review', app, '2026-01-02Z')
           ) as grants (capability, repository_id, revoked_at);
insert into striatumd.client_sessions
select tap.client_id('lane'), 'sess_0123456789abcdef', app, '2026-01-01Z' from at;
create function pg_temp.remove(p_repository_id text, p_client text default 'ada',
    p_more jsonb default '{}')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'repo.remove', jsonb_build_object('repository_id', p_repository_id),
    '{}', p_more)
$$;
create temp view grants as
  select c.display_name as client, capability, coalesce(r.display_name, '*') as repository,
         g.revoked_at
    from striatumd.client_capabilities g join striatumd.clients c using (client_id)
    left join striatumd.repositories r using (repository_id)
   where c.display_name <> 'ada';
create function pg_temp.live() returns text language sql as $$
  select string_agg(format('%s %s %s', client, capability, repository), ', '
           order by client, capability, repository)
    from grants where revoked_at is null
$$;
create temp table neighbour as
  select r as row from striatumd.repositories r where display_name = 'other';

-- refuses
select is(tap.code(pg_temp.remove(app, who)), code, 'asked by ' || what)
  from at, (values ('bob', 'capability_missing', 'who is no administrator'),
    ('lane', 'capability_denied', 'a session'), (null, 'token_missing', 'nobody')
  ) as asked (who, code, what);
select is(pg_temp.remove(app, 'next') -> 'error', jsonb_build_object(
  'code', 'capability_scope_mismatch', 'message',
  format('this token''s admin does not hold for %s', app), 'details',
  jsonb_build_object('capability', 'admin', 'repository_id', app),
  'next', array['striatum token create admin, by an administrator']),
  'by who is one of another repository') from at;
select is(tap.code(pg_temp.remove('repo_0000000000000000', who)), code,
  'one that there is not, ' || what)
  from (values ('ada', 'repo_not_registered', 'and whoever is told so may know'),
    ('own', 'capability_scope_mismatch', 'of which others learn nothing')
  ) as asked (who, code, what);
select is(tap.code(pg_temp.remove('')), 'repo_not_registered', 'nor one without an id');
select is(count(*), 2::bigint, 'and none was removed by that') from striatumd.repositories
 where state = 'active';
select is(pg_temp.live(), 'bob read *, bob write *, bob claim app, bob claim other, '
  || 'lane admin app, next admin other, own read app, own admin app',
  'nor anything taken back');

-- does: by a client whose only grants are for this repository
select is(pg_temp.remove(app, 'own', '{"phase": "preflight"}'), '{"ok": true, "observe": {}}',
  'nothing has to be looked at') from at;
create temp table first as select pg_temp.remove(app, 'own', '{"request_id": "r-1"}') as reply
  from at;
select is(reply - 'audit_id', jsonb_build_object('ok', true, 'data', jsonb_build_object(
  'repository_id', app, 'root', '/srv/app', 'display_name', 'app', 'state', 'removed',
  'is_initialized', true, 'added_at', '2026-01-01T00:00:00.000000Z',
  'removed_at', '2026-11-30T10:00:00.000000Z', 'was_active', true, 'revoked_grants', 4),
  'effects', '[]'::jsonb, 'wakes', '[]'::jsonb), 'it is removed') from first, at;
select rows_are('select repository_id, event_id, event_type, payload_json::jsonb, actor_session_id
    from striatumd.events',
  $$ select app, 1::bigint, 'repository.removed', jsonb_build_object('reason', 'repo.remove', 'by',
       tap.client_id('own'), 'changes', jsonb_build_array(jsonb_build_object('of', 'repository',
         'id', app, 'from', '{"state": "active", "removed_at": null}'::jsonb,
         'to', '{"state": "removed", "removed_at": "2026-11-30T10:00:00.000000Z"}'::jsonb))),
       null::text from at $$, 'its event says from what to what');
select rows_are($$ select root, inode, display_name, state::text, is_initialized, added_at,
    removed_at from striatumd.repositories, at where repository_id = app $$,
  $$ values ('/srv/app', '4711', 'app', 'removed', true, '2026-01-01Z'::timestamptz,
             '2026-11-30T10:00:00Z'::timestamptz) $$, 'its record stays');
select is(pg_temp.live(), 'bob read *, bob write *, bob claim other, next admin other',
  'what was granted for it alone is taken back, and nothing else');
select rows_are($$ select client, capability::text, revoked_at from grants
    where revoked_at is not null order by client, 2 $$,
  $$ values ('bob', 'claim', '2026-11-30T10:00:00Z'::timestamptz),
            ('bob', 'review', '2026-01-02Z'), ('lane', 'admin', '2026-11-30T10:00:00Z'),
            ('own', 'admin', '2026-11-30T10:00:00Z'), ('own', 'read', '2026-11-30T10:00:00Z') $$,
  'at that instant; what was taken back before keeps its own');
select is_empty('select client_id from striatumd.clients where revoked_at is not null',
  'no token is revoked by it');
select is(r, neighbour.row, 'its neighbour did not move') from striatumd.repositories r, neighbour
 where display_name = 'other';
select ok(tap.holds('striatum:repository:' || app), 'what happens in it waits until that is done')
  from at;
select ok(not tap.holds('striatum:repository:' || other), 'what happens elsewhere does not')
  from at;

-- again
select set_config('striatum.test_now', '2026-11-30T11:00:00Z', true);
select is(pg_temp.remove(app, 'own', '{"request_id": "r-1"}') - 'audit_id', (reply - 'audit_id')
    || '{"replayed": true, "effects_pending": false}',
  'who may do nothing there any more is told again what it did') from first, at;
select is(tap.code(pg_temp.remove(app, 'own')), 'capability_missing', 'and nothing new') from at;
select is(pg_temp.remove(app) -> 'data', (reply -> 'data')
    || '{"was_active": false, "revoked_grants": 0}', 'once more, it is removed as it was')
  from first, at;
select is(count(*), 1::bigint, 'without another event') from striatumd.events;
select is(pg_temp.remove(app, 'ada', '{"request_id": "r-2"}') #>> '{data,removed_at}',
  '2026-11-30T10:00:00.000000Z', 'at the instant at which it was') from at;
select rows_are($$ select method, decision::text, repository_id from striatumd.audit_log, at
    where repository_id = app and decision = 'allowed' order by audit_id $$,
  $$ select 'repo.remove', 'allowed', app from at, generate_series(1, 3) $$,
  'each time is on record, with the repository');

-- added again
create temp table again as select tap.ask('ada', 'repo.add', '{"path": "/srv/app"}',
  tap.folder('/srv/app', '{"inode": "4711"}')) as reply;
select is(reply #> '{data,is_new}', 'true', 'its root is free') from again;
select isnt(reply #>> '{data,repository_id}', app, 'and gets another id') from again, at;
select rows_are($$ select state::text, count(*) from striatumd.repositories
    where root = '/srv/app' group by 1 order by 1 $$,
  $$ values ('active', 1::bigint), ('removed', 1) $$, 'beside the record of the first');
select is(pg_temp.live(), 'bob read *, bob write *, bob claim other, next admin other',
  'for which nothing is granted anew');
select is(tap.code(pg_temp.remove(reply #>> '{data,repository_id}', 'own')), 'capability_missing',
  'not to its former administrator either') from again;
create temp table audit as select * from striatumd.audit_log;
select is(tap.code(pg_temp.remove(reply #>> '{data,repository_id}')), 'ok', 'it is removed, too')
  from again;
create temp table third as select tap.ask('ada', 'repo.add', '{"path": "/srv/app"}',
  tap.folder('/srv/app')) #>> '{data,repository_id}' as id;
select is((select count(distinct id) from (values (app), (again.reply #>> '{data,repository_id}'),
    (third.id)) ids (id)), 3::bigint, 'three times, three ids') from at, again, third;
select is(count(*), 3::bigint, 'and three records') from striatumd.repositories
 where root = '/srv/app';

-- around: the record of requests and of events
select is_empty('select * from audit except select * from striatumd.audit_log',
  'no audit row went with it');
select rows_are($$ select event_type from striatumd.events, at where repository_id = app $$,
  array['repository.removed'], 'nor an event');
select is(pg_temp.remove(other, 'next', '{"transport": "mcp"}') #> '{data,revoked_grants}', '2',
  'an administrator of one repository may remove it') from at;
select is(count(*), 8::bigint, 'who administers everywhere goes on')
  from striatumd.client_capabilities
 where client_id = tap.client_id('ada') and revoked_at is null;

-- a run is not left behind
select tap.run_stage('r', 'worked_on');
create temp table kept as select tap.ask('ada', 'repo.remove',
  jsonb_build_object('repository_id', tap.id('repo', 'worked_on'))) as reply;
select is(tap.code(reply), 'runs_under_way', 'not while a run of it is under way') from kept;
select is(reply #> '{error,next}', jsonb_build_array(format('striatum run cancel %s --reason TEXT',
  tap.id('run', 'r'))), 'which can be canceled') from kept;
update striatumd.runs set state = 'ready', started_at = null where run_id = tap.id('run', 'r');
select is(tap.code(tap.ask('ada', 'repo.remove',
  jsonb_build_object('repository_id', tap.id('repo', 'worked_on')))), 'ok',
  'one that never started is no hindrance');

select * from finish();
rollback;
