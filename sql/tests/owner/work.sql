-- The domains and tables of bundle V0010__work: each state that may not be is refused by name.
begin;
select plan(187);

-- given
create function pg_temp.id(p_prefix text, p_n int default 0) returns text language sql as $$
  select p_prefix || '_0123456789abcde' || p_n
$$;
select tap.run_stage();
delete from striatumd.queue_messages;
create function pg_temp.of_run(p_more jsonb) returns jsonb language sql as $$
  select jsonb_build_object('repository_id', tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'))
    || p_more
$$;

-- the domains
create temp table tried (domain text, refused_by text, bad text[], good text[]);
insert into tried values
  ('message_id', 'message_id_is_prefixed', '{"",msg_,job_0123456789abcdef,msg_0123456789abcdeF}',
    '{msg_0123456789abcdef}'),
  ('lease_id', 'lease_id_is_prefixed', '{"",lease_,msg_0123456789abcdef,lease_0123456789abcdef0}',
    '{lease_0123456789abcdef}'),
  ('packet_id', 'packet_id_is_prefixed', '{"",pkt_,packet_0123456789abcdef,pkt_0123456789abcdeg}',
    '{pkt_0123456789abcdef}'),
  ('supervisor_id', 'supervisor_id_is_prefixed', '{"",sup_,sess_0123456789abcdef,sup_0123}',
    '{sup_0123456789abcdef}');
select tap.refused(format('select %L::striatumd.%I', value, domain), refused_by)
  from tried, unnest(bad) as value;
select lives_ok(format('select %L::striatumd.%I', value, domain), 'good: ' || domain)
  from tried, unnest(good) as value;

-- striatumd.sessions
create function pg_temp.session(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('sessions', pg_temp.of_run(jsonb_build_object('session_id', pg_temp.id('sess'),
    'role_id', 'author', 'lane_id', 'author', 'ordinal', 1, 'state', 'active',
    'registered_by', 'c', 'registered_at', '2026-01-01Z')), p_change)
$$;
select enum_has_labels('striatumd', 'session_state', array['active', 'expired', 'stopped', 'lost',
  'closed'], 'the states of a session');
select enum_has_labels('striatumd', 'close_reason', array['explicit', 'run_completed',
  'run_failed', 'run_canceled', 'recovery'], 'why one is closed');
select throws_ok(pg_temp.session(jsonb_build_object(name, 'other')), '22P02', null,
  name || ' is one of its words') from unnest(array['state', 'close_reason']) as name;
select throws_ok(pg_temp.session(jsonb_build_object(name, null)), '23502', null,
  'a session has its ' || name)
  from unnest(array['session_id', 'repository_id', 'run_id', 'role_id', 'lane_id', 'ordinal',
    'state', 'registered_by', 'registered_at']) as name;
select tap.refused(pg_temp.session('{"run_id": "run_0000000000000000"}'),
  'sessions_belong_to_a_run');
select tap.refused(pg_temp.session('{"ordinal": 0}'), 'sessions_ordinal_counts');
select tap.refused(pg_temp.session(jsonb_build_object('operator_label', label)),
  'sessions_operator_label_is_a_word')
  from unnest(array['', 'A', 'a b', 'a/b', repeat('a', 65)]) as label;
select tap.refused(pg_temp.session(change), 'sessions_ended_has_an_instant')
  from unnest(array['{"closed_at": "2026-01-02Z"}', '{"state": "expired"}',
    '{"state": "stopped"}', '{"state": "lost"}', '{"state": "closed", "close_reason": "explicit"}'
    ]::jsonb[]) as change;
select tap.refused(pg_temp.session('{"closed_at": "2026-01-02Z"}' || change),
  'sessions_closed_has_a_reason')
  from unnest(array['{"state": "closed"}', '{"state": "lost", "close_reason": "explicit"}',
    '{"state": "active", "closed_at": null, "close_reason": "explicit"}']::jsonb[]) as change;
select lives_ok(pg_temp.session(), 'a good row is taken');
select tap.refused(pg_temp.session('{"ordinal": 2}'), 'sessions_are_distinct');
select tap.refused(pg_temp.session(jsonb_build_object('session_id', pg_temp.id('sess', 1))),
  'sessions_one_a_slug');
select lives_ok(pg_temp.session(jsonb_build_object('session_id', pg_temp.id('sess', n::int),
  'ordinal', n + 1) || change), 'beside it ' || change::text)
  from unnest(array[jsonb_build_object('operator_label', repeat('a', 64)),
    '{"ordinal": 1, "lane_id": "reviewer"}', '{"state": "lost", "closed_at": "2026-01-02Z"}',
    '{"state": "closed", "closed_at": "2026-01-02Z", "close_reason": "recovery"}'])
    with ordinality as c (change, n);

-- striatumd.session_liveness
create function pg_temp.seen(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('session_liveness', jsonb_build_object('session_id', pg_temp.id('sess'),
    'last_seen_at', '2026-01-01Z'), p_change)
$$;
select throws_ok(pg_temp.seen(jsonb_build_object(name, null)), '23502', null,
  'liveness has its ' || name) from unnest(array['session_id', 'last_seen_at']) as name;
select tap.refused(pg_temp.seen(jsonb_build_object('session_id', pg_temp.id('sess', 9))),
  'session_liveness_belongs_to_a_session');
select lives_ok(pg_temp.seen(), 'a good row is taken');
select tap.refused(pg_temp.seen('{"last_seen_at": "2026-01-02Z"}'),
  'session_liveness_one_a_session');

-- striatumd.process_supervisors
create function pg_temp.supervisor(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('process_supervisors', pg_temp.of_run(jsonb_build_object(
    'supervisor_id', pg_temp.id('sup'), 'session_id', pg_temp.id('sess'), 'state', 'attached',
    'command', '["agent"]'::jsonb, 'client_id', tap.client_id('c'), 'agent_pid', 4711,
    'agent_start_token', 'boot:1', 'observed_command', '["/usr/bin/agent"]'::jsonb,
    'helper_event', 0, 'started_at', '2026-01-01Z')), p_change)
$$;
select enum_has_labels('striatumd', 'supervisor_state', array['starting', 'attached', 'detached',
  'lost', 'stopped'], 'the states of a supervisor');
select throws_ok(pg_temp.supervisor('{"state": "other"}'), '22P02', null,
  'are all that it can be in');
select throws_ok(pg_temp.supervisor(jsonb_build_object(name, null)), '23502', null,
  'a supervisor has its ' || name)
  from unnest(array['supervisor_id', 'repository_id', 'run_id', 'session_id', 'state', 'command',
    'client_id', 'helper_event', 'started_at']) as name;
select tap.refused(pg_temp.supervisor(jsonb_build_object('session_id', pg_temp.id('sess', 9))),
  'process_supervisors_belong_to_a_session');
select tap.refused(pg_temp.supervisor(jsonb_build_object('command', command)),
  'process_supervisors_command_is_a_list')
  from unnest(array['[]', '{}', '"agent"']::jsonb[]) as command;
select tap.refused(pg_temp.supervisor(jsonb_build_object('state', state, name, null)),
  'process_supervisors_attached_has_a_process')
  from unnest(array['attached', 'detached']) as state,
       unnest(array['agent_pid', 'agent_start_token', 'observed_command']) as name;
select tap.refused(pg_temp.supervisor(change), 'process_supervisors_ended_has_an_instant')
  from unnest(array['{"state": "lost"}', '{"state": "stopped"}', '{"ended_at": "2026-01-02Z"}',
    '{"state": "starting", "ended_at": "2026-01-02Z"}',
    '{"state": "detached", "ended_at": "2026-01-02Z"}']::jsonb[]) as change;
select lives_ok(pg_temp.supervisor(), 'a good row is taken');
select tap.refused(pg_temp.supervisor(jsonb_build_object('session_id', pg_temp.id('sess', 1))),
  'process_supervisors_are_distinct');
select tap.refused(pg_temp.supervisor(jsonb_build_object('supervisor_id', pg_temp.id('sup', 1),
  'state', state)), 'process_supervisors_one_active_a_session')
  from unnest(array['starting', 'attached', 'detached']) as state;
select lives_ok(pg_temp.supervisor(jsonb_build_object('supervisor_id', pg_temp.id('sup', n::int))
  || change), 'beside it ' || change::text)
  from unnest(array['{"state": "stopped", "ended_at": "2026-01-02Z"}', '{"state": "lost",
    "ended_at": "2026-01-02Z", "agent_pid": null, "agent_start_token": null,
    "observed_command": null}', jsonb_build_object('session_id', pg_temp.id('sess', 1),
    'state', 'starting', 'agent_pid', null, 'agent_start_token', null, 'observed_command', null)
    ]::jsonb[]) with ordinality as c (change, n);

-- striatumd.queue_messages
create function pg_temp.message(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('queue_messages', pg_temp.of_run(jsonb_build_object(
    'message_id', pg_temp.id('msg'), 'message_number', 1000, 'job_id', tap.id('job', 'r.draft'),
    'attempt', 1, 'role_id', 'author', 'lane_id', 'author', 'is_fresh', false, 'state', 'pending',
    'claim_count', 0, 'queued_at', '2026-01-01Z')), p_change)
$$;
select enum_has_labels('striatumd', 'message_state', array['pending', 'claimed', 'acked',
  'blocked', 'done', 'canceled'], 'the states of a message');
select throws_ok(pg_temp.message('{"state": "other"}'), '22P02', null,
  'are all that it can be in');
select throws_ok(pg_temp.message(jsonb_build_object(name, null)), '23502', null,
  'a message has its ' || name)
  from unnest(array['message_id', 'message_number', 'repository_id', 'run_id', 'job_id', 'attempt',
    'role_id', 'is_fresh', 'state', 'claim_count', 'queued_at']) as name;
select tap.refused(pg_temp.message('{"job_id": "job_0000000000000000"}'),
  'queue_messages_belong_to_a_job');
select tap.refused(pg_temp.message('{"attempt": 0}'), 'queue_messages_attempt_counts');
select tap.refused(pg_temp.message('{"claim_count": -1}'), 'queue_messages_claim_count_counts');
select lives_ok(pg_temp.message(), 'a good row is taken');
select tap.refused(pg_temp.message('{"state": "done"}'), 'queue_messages_are_distinct');
select tap.refused(pg_temp.message(jsonb_build_object('message_id', pg_temp.id('msg', 1),
  'attempt', 2, 'state', state)), 'queue_messages_one_open_a_job')
  from unnest(array['pending', 'claimed', 'acked', 'blocked']) as state;
select lives_ok(pg_temp.message(jsonb_build_object('message_id', pg_temp.id('msg', n::int),
  'state', state)), 'beside it one that is ' || state)
  from unnest(array['done', 'canceled']) with ordinality as s (state, n);
select lives_ok(pg_temp.message(jsonb_build_object('message_id', pg_temp.id('msg', 3),
  'job_id', tap.id('job', 'r.review'), 'lane_id', null)), 'and one of another job, for any lane');

-- striatumd.leases
create function pg_temp.lease(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('leases', pg_temp.of_run(jsonb_build_object('lease_id', pg_temp.id('lease'),
    'session_id', pg_temp.id('sess'), 'message_id', pg_temp.id('msg'),
    'job_id', tap.id('job', 'r.draft'), 'attempt', 1, 'state', 'active', 'lease_seconds', 1800,
    'acquired_at', '2026-01-01T10:00:00Z', 'expires_at', '2026-01-01T10:30:00Z',
    'has_published', false)), p_change)
$$;
select enum_has_labels('striatumd', 'lease_state', array['active', 'released', 'expired'],
  'the states of a lease');
select throws_ok(pg_temp.lease('{"state": "other"}'), '22P02', null, 'are all that it can be in');
select throws_ok(pg_temp.lease(jsonb_build_object(name, null)), '23502', null,
  'a lease has its ' || name)
  from unnest(array['lease_id', 'repository_id', 'run_id', 'session_id', 'message_id', 'job_id',
    'attempt', 'state', 'lease_seconds', 'acquired_at', 'expires_at', 'has_published']) as name;
select tap.refused(pg_temp.lease(jsonb_build_object('message_id', pg_temp.id('msg', 9))),
  'leases_belong_to_a_message');
select tap.refused(pg_temp.lease(jsonb_build_object('lease_seconds', n)), 'leases_last_a_while')
  from unnest(array[0, 86401]) as n;
select tap.refused(pg_temp.lease(jsonb_build_object('expires_at', at)),
  'leases_expire_after_they_begin')
  from unnest(array['2026-01-01T10:00:00Z', '2026-01-01T09:59:59Z']) as at;
select tap.refused(pg_temp.lease(change), 'leases_ended_has_an_instant')
  from unnest(array['{"ended_at": "2026-01-01T10:01:00Z"}',
    '{"state": "released", "release_reason": "done"}',
    '{"state": "expired", "release_reason": "expired"}']::jsonb[]) as change;
select tap.refused(pg_temp.lease(change), 'leases_ended_has_a_reason')
  from unnest(array['{"release_reason": "done"}',
    '{"state": "released", "ended_at": "2026-01-01T10:01:00Z"}',
    '{"state": "expired", "ended_at": "2026-01-01T10:31:00Z"}']::jsonb[]) as change;
select lives_ok(pg_temp.lease('{"lease_seconds": 86400}'), 'a good row is taken');
select tap.refused(pg_temp.lease(jsonb_build_object('session_id', pg_temp.id('sess', 1),
  'message_id', pg_temp.id('msg', 3))), 'leases_are_distinct');
select tap.refused(pg_temp.lease(jsonb_build_object('lease_id', pg_temp.id('lease', 1),
  'session_id', pg_temp.id('sess', 1))), 'leases_one_active_a_message');
select tap.refused(pg_temp.lease(jsonb_build_object('lease_id', pg_temp.id('lease', 1),
  'message_id', pg_temp.id('msg', 3))), 'leases_one_active_a_session');
select lives_ok(pg_temp.lease(jsonb_build_object('lease_id', pg_temp.id('lease', n::int),
  'state', state, 'ended_at', '2026-01-01T10:01:00Z', 'release_reason', 'x', 'lease_seconds', 1)),
  'beside it, of the same, one that is ' || state)
  from unnest(array['released', 'expired']) with ordinality as s (state, n);
select lives_ok(pg_temp.lease(jsonb_build_object('lease_id', pg_temp.id('lease', 3),
  'session_id', pg_temp.id('sess', 1), 'message_id', pg_temp.id('msg', 3))),
  'and an active one of others');

-- striatumd.work_packets
create function pg_temp.packet(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('work_packets', pg_temp.of_run(jsonb_build_object(
    'packet_id', pg_temp.id('pkt'), 'session_id', pg_temp.id('sess'),
    'message_id', pg_temp.id('msg'), 'lease_id', pg_temp.id('lease'),
    'job_id', tap.id('job', 'r.draft'), 'attempt', 1, 'packet_json', '{}',
    'packet_sha256', repeat('c', 64), 'issued_at', '2026-01-01Z')), p_change)
$$;
select throws_ok(pg_temp.packet(jsonb_build_object(name, null)), '23502', null,
  'a packet has its ' || name)
  from unnest(array['packet_id', 'repository_id', 'run_id', 'session_id', 'message_id', 'lease_id',
    'job_id', 'attempt', 'packet_json', 'packet_sha256', 'issued_at']) as name;
select tap.refused(pg_temp.packet(jsonb_build_object('message_id', pg_temp.id('msg', 9))),
  'work_packets_belong_to_a_message');
select tap.refused(pg_temp.packet(jsonb_build_object('packet_json', text)),
  'work_packets_packet_is_an_object') from unnest(array['[]', '"a"', 'null']) as text;
select throws_ok(pg_temp.packet('{"packet_json": "{"}'), '22P02', null, 'a packet is JSON');
select lives_ok(pg_temp.packet(), 'a good row is taken');
select tap.refused(pg_temp.packet(jsonb_build_object('lease_id', pg_temp.id('lease', 1))),
  'work_packets_are_distinct');
select tap.refused(pg_temp.packet(jsonb_build_object('packet_id', pg_temp.id('pkt', 1))),
  'work_packets_one_a_lease');
select lives_ok(pg_temp.packet(jsonb_build_object('packet_id', pg_temp.id('pkt', 1),
  'lease_id', pg_temp.id('lease', 1))), 'the next lease has its own');
select tap.refused(statement, 'work_packets_is_append_only')
  from unnest(array['update striatumd.work_packets set packet_json = packet_json',
    'delete from striatumd.work_packets', 'truncate striatumd.work_packets']) as statement;
select is(count(*), 2::bigint, 'they are there') from striatumd.work_packets;

-- striatumd.job_attempts
create function pg_temp.attempt(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('job_attempts', jsonb_build_object('job_id', tap.id('job', 'r.draft'),
    'attempt', 1, 'write_scope', '{}'::jsonb, 'baseline', '{}'::jsonb,
    'begun_at', '2026-01-01Z'), p_change)
$$;
select throws_ok(pg_temp.attempt(jsonb_build_object(name, null)), '23502', null,
  'an attempt has its ' || name)
  from unnest(array['job_id', 'attempt', 'write_scope', 'baseline', 'begun_at']) as name;
select tap.refused(pg_temp.attempt('{"job_id": "job_0000000000000000"}'),
  'job_attempts_belong_to_a_job');
select tap.refused(pg_temp.attempt('{"attempt": 0}'), 'job_attempts_attempt_counts');
select tap.refused(pg_temp.attempt(change), 'job_attempts_ended_has_an_outcome')
  from unnest(array['{"ended_at": "2026-01-02Z"}', '{"outcome": "completed"}']::jsonb[]) as change;
select lives_ok(pg_temp.attempt(), 'a good row is taken');
select tap.refused(pg_temp.attempt('{"begun_at": "2026-01-02Z"}'), 'job_attempts_are_distinct');
select lives_ok(pg_temp.attempt('{"attempt": 2, "ended_at": "2026-01-02Z",
  "outcome": "completed"}'), 'and the next, with its end');

select * from finish();
rollback;
