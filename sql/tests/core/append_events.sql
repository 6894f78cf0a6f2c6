-- The event chains, one a repository.
-- STR-STORE-07: each row carries the hash of the one before and its own, in columns of their own.
begin;
select plan(20);

-- given
select tap.open_door();
create function pg_temp.event(p_repository text, p_type text, p_payload jsonb default '{"a": 1}',
    p_more jsonb default '{}')
  returns jsonb language sql as $$
  select jsonb_build_object('repository_id', p_repository, 'event_type', p_type,
    'payload', p_payload) || p_more
$$;
create function pg_temp.append(variadic p_events jsonb[]) returns void language sql as $$
  select tap.authorize();
  select striatumd.append_events(to_jsonb(p_events))
$$;
create temp view chain as
  select repository_id || ' ' || event_id || ' ' || event_type from striatumd.events
   order by repository_id, event_id;

-- does
select set_config('striatum.test_now', '2026-11-30T10:00:00.999999Z', true);
select pg_temp.append(pg_temp.event('b', 'run.prepared'), pg_temp.event('a', 'run.prepared'),
  pg_temp.event('b', 'run.started'), pg_temp.event('b', 'job.made'),
  pg_temp.event('a', 'job.made'));
select rows_are('select * from chain',
  $$ values ('a 1 run.prepared'), ('a 2 job.made'), ('b 1 run.prepared'), ('b 2 run.started'),
            ('b 3 job.made') $$,
  'each repository has a chain of its own, and its events the order of the decision');
select is(array_agg(distinct (created_at, recorded_at)::text), array[(
  timestamptz '2026-11-30T10:00:00Z', timestamptz '2026-11-30T10:00:00.999999Z')::text],
  'the instant stands there in seconds, and for display') from striatumd.events;

select set_config('striatum.test_now', '2026-11-30T10:00:01Z', true);
select pg_temp.append(pg_temp.event('a', 'job.done', '{"b": "é", "a": [1, 2.50]}', '{"run_id":
  "run_1", "actor_session_id": "s", "job_id": "j", "message_id": "m", "artifact_id": "art",
  "lease_id": "l"}'));
select is(to_jsonb(e) - 'previous_hash' - 'row_hash' - 'created_at' - 'recorded_at', '{
  "segment_id": 1, "repository_id": "a", "event_id": 3, "run_id": "run_1", "event_type": "job.done",
  "actor_session_id": "s", "job_id": "j", "message_id": "m", "artifact_id": "art",
  "lease_id": "l", "payload_json": "{\"a\": [1, 2.50], \"b\": \"é\"}"}',
  'a later one goes on, and every id of it is kept') from striatumd.events e where event_id = 3
   and repository_id = 'a';
select is(created_at, '2026-11-30T10:00:01Z', 'with its own instant') from striatumd.events
 where repository_id = 'a' and event_id = 3;
select is((select count(*) from striatumd.events where repository_id = 'b'), 3::bigint,
  'the neighbour''s chain did not move');
select striatumd.append_events('[]');
select is((select count(*) from striatumd.events), 6::bigint, 'no events, no rows');

-- the chain
select is_empty($$
  select event_id from (select *, row_number() over w as n, lag(row_hash) over w as before
                          from striatumd.events
                        window w as (partition by repository_id order by event_id)) e
   where previous_hash is distinct from before or event_id <> n $$,
  'ids have no gap, and each row carries the hash of the one before');
select is_empty($$
  select event_id from striatumd.events
   where row_hash <> striatumd.hash_v3(previous_hash, repository_id, event_id::text, run_id,
     event_type, actor_session_id, job_id, message_id, artifact_id, lease_id, payload_json,
     striatumd.utc_seconds(created_at)) $$, 'each hash is the one over the columns as stored');
select is((select count(distinct row_hash) from striatumd.events), 6::bigint,
  'no two rows have the same hash');
select ok(tap.holds('striatum:events:' || id), 'the chain of ' || id || ' was locked')
  from unnest(array['a', 'b']) as id;
select ok(not tap.holds('striatum:events:c'), 'that of another was not');

-- refuses, and appends nothing then
select throws_ok($$ select pg_temp.append(pg_temp.event('c', 'run.started'),
  pg_temp.event(null, 'run.lost')) $$, 'P0001', 'an event without a repository: run.lost',
  'an event belongs to a repository');
select is(
  tap.sqlstate_of(format('select pg_temp.append(pg_temp.event(''c'', %L, %L))', type, payload)),
  '23514', 'not ' || what)
  from (values ('Started', '{}', 'an event of no past participle'),
    ('run.started', '[]', 'a list for a payload'), ('run.started', '{"stdout": ""}', 'an output'),
    ('run.started', jsonb_build_object('a', repeat('x', 262144))::text, 'a payload without bound')
    ) as bad (type, payload, what);
select is(tap.sqlstate_of($$ select pg_temp.append('{"repository_id": "c",
  "event_type": "run.started"}') $$), '23502', 'nor without any');
select is_empty('select from striatumd.events where repository_id = ''c''', 'nothing of it stands');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.append_events(''[]'')', '28000', 'daemon_authority_missing',
  'without the daemon''s secret nothing is appended');

select * from finish();
rollback;
