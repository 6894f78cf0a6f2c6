-- work.claim_next: who gets which work, through the door.
-- STR-QUEUE-01: the oldest that is pending, by a session whose backend was seen alive.
-- STR-QUEUE-03: with a packet, kept with its hash.
-- STR-SESSION-03, STR-SESSION-04, STR-SESSION-05, STR-SESSION-06: without a living lane, none.
begin;
select plan(16);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage();
select tap.session('one', 'author'), tap.session('bare', 'author', 'r', null),
       tap.session('new', 'author', 'r', 'starting'), tap.session('dead', 'author'),
       tap.session('odd', 'author'), tap.session('ended', 'author');
create function pg_temp.claim(p_session text, p_more jsonb default '{}', p_seen jsonb default '{}')
  returns jsonb language sql as $$
  select tap.ask(p_session, 'work.claim_next', p_more, tap.claiming(p_session) || p_seen,
    '{"is_final": true}')
$$;
create function pg_temp.state(p_session text) returns text language sql as $$
  select concat_ws(' ', s.state, v.state) from striatumd.sessions s
    left join striatumd.process_supervisors v using (session_id)
   where s.session_id = tap.id('sess', p_session)
$$;

-- refuses
select is(tap.code(pg_temp.claim('new')), 'session_backend_not_ready', 'one that is being started');
select is(pg_temp.state('new'), 'active starting', 'which stays as it is');
select is(tap.code(pg_temp.claim('bare')), 'session_backend_missing', 'one without an agent');
select is(pg_temp.state('bare'), 'expired', 'has expired by it');
select is(tap.code(pg_temp.claim('dead', '{}', tap.attested('dead', '{"state": "gone"}'))),
  'session_backend_gone', 'one whose agent is gone');
select is(pg_temp.state('dead'), 'lost lost', 'is lost by it, with its supervisor');
select is(tap.code(pg_temp.claim('odd', '{}', tap.attested('odd', '{"state": "unknown"}'))),
  'session_backend_unattested', 'one of which nothing is proven');
select is(tap.code(pg_temp.claim('odd', '{}', tap.attested('one'))), 'observation_stale',
  'one for which another was looked at');
select is(pg_temp.state('odd'), 'active attached', 'stays as it is');
select rows_are('select state from striatumd.queue_messages', array['pending'],
  'and nothing was claimed by any');

-- does
create temp table reply as select pg_temp.claim('one') as is;
select is(("is" -> 'data') - '{packet, packet_id, packet_sha256, lease_id}'::text[],
  jsonb_build_object('type', 'work', 'status', 'claimed', 'job_id', tap.id('job', 'r.draft'),
    'attempt', 1), 'the oldest is claimed') from reply;
select rows_are($$ select packet_id, lease_id, packet_json::jsonb,
    encode(sha256(convert_to(packet_json, 'UTF8')), 'hex') from striatumd.work_packets $$,
  $$ select "is" #>> '{data,packet_id}', "is" #>> '{data,lease_id}', "is" #> '{data,packet}',
    "is" #>> '{data,packet_sha256}' from reply $$, 'with a packet, kept with its hash');
select rows_are('select expires_at - acquired_at from striatumd.leases',
  array[interval '30 minutes'], 'and a lease of half an hour');
select is(pg_temp.claim('odd') -> 'data', jsonb_build_object('type', 'none', 'status', 'no_work',
  'reason', 'queue_empty', 'run_id', tap.id('run', 'r'), 'session_id', tap.id('sess', 'odd'),
  'session_state', 'active', 'idle_behavior', 'exit_session'), 'the next one is told that there '
  'is none');
select is(tap.code(tap.ask('odd', 'work.claim_next', '{}', tap.claiming('odd'))), 'ok',
  'without waiting');

-- around
select is(tap.code(tap.ask('one', 'work.claim_next', jsonb_build_object('session_id',
  tap.id('sess', 'odd')), tap.claiming('odd'))), 'capability_denied', 'in its own name alone');

select * from finish();
rollback;
