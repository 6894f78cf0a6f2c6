-- The tables of bundle V0005__chains: each state that may not be is refused by name.
-- STR-STORE-04, STR-STORE-06: what was recorded cannot be changed, not even by a superuser, and the
-- runtime login has no right to try.
-- STR-AUTHZ-05: chain and append-only hold for the owner's own functions too, secret or not; the
-- scope of an attempt comes with attempts.
begin;
select plan(115);

-- striatumd.audit_log
create function pg_temp.audit(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('audit_log', jsonb_build_object('segment_id', 1, 'audit_id', 1,
    'ts', '2026-11-30T10:00:00Z', 'recorded_at', '2026-11-30T10:00:00.5Z', 'schema_version', 1,
    'hash_format_version', 3, 'daemon_version', '0.1.0', 'client_id', 'c', 'principal_id', 'p',
    'session_id', 's', 'repository_id', 'r', 'method', 'repo.add', 'decision', 'allowed',
    'denial_reason', null, 'transport', 'rpc', 'request_id', 'r-1', 'exit_code', null,
    'params_sha256', repeat('a', 64), 'previous_hash', null, 'row_hash', repeat('b', 64)), p_change)
$$;
select enum_has_labels('striatumd', 'audit_decision', array['allowed', 'denied', 'error'],
  'the outcomes of a request');
select enum_has_labels('striatumd', 'transport', array['rpc', 'mcp', 'web', 'internal'],
  'the ways in');
select throws_ok(pg_temp.audit(jsonb_build_object(name, 'other')), '22P02', null,
  name || ' is one of its words') from unnest(array['decision', 'transport']) as name;
select throws_ok(pg_temp.audit(jsonb_build_object(name, null)), '23502', null,
  'an audit row has its ' || name)
  from unnest(array['audit_id', 'ts', 'recorded_at', 'schema_version', 'hash_format_version',
    'method', 'decision', 'transport', 'params_sha256', 'row_hash']) as name;
select tap.refused(
  pg_temp.audit(jsonb_build_object('audit_id', 0, 'previous_hash', repeat('c', 64))),
  'counted_is_from_1');
select tap.refused(pg_temp.audit(change), 'audit_log_first_row_alone_has_no_previous')
  from unnest(array['{"audit_id": 2}', jsonb_build_object('previous_hash', repeat('c', 64))])
    as change;
select tap.refused(pg_temp.audit(jsonb_build_object('ts', ts)),
  'audit_log_ts_is_recorded_at_in_seconds')
  from unnest(array['2026-11-30T10:00:01Z', '2026-11-30T10:00:00.5Z']) as ts;
select tap.refused(pg_temp.audit(jsonb_build_object('schema_version', n)),
  'audit_log_schema_version_is_1') from unnest(array[0, 2]) as n;
select tap.refused(pg_temp.audit(jsonb_build_object('hash_format_version', n)),
  'audit_log_hash_format_is_3') from unnest(array[2, 4]) as n;
select tap.refused(pg_temp.audit(jsonb_build_object('method', text)), 'asked_is_short')
  from unnest(array[repeat('m', 129), repeat('é', 65)]) as text;
select tap.refused(pg_temp.audit(jsonb_build_object('request_id', text)),
  'asked_is_short') from unnest(array[repeat('m', 129), repeat('é', 65)]) as text;
select tap.refused(pg_temp.audit(change), 'audit_log_success_alone_has_no_reason')
  from unnest(array['{"denial_reason": "busy"}', '{"decision": "denied", "exit_code": 1}',
    '{"decision": "error", "exit_code": 1}']::jsonb[]) as change;
select tap.refused(pg_temp.audit(change), 'audit_log_success_alone_has_no_exit_code')
  from unnest(array['{"exit_code": 1}', '{"decision": "denied", "denial_reason": "busy"}',
    '{"decision": "error", "denial_reason": "busy"}']::jsonb[]) as change;
select tap.refused(
  pg_temp.audit(jsonb_build_object('decision', 'denied', 'denial_reason', 'x', 'exit_code', n)),
  'exit_code_is_a_failure') from unnest(array[0, 126]) as n;
select tap.refused(pg_temp.audit('{"client_id": null, "session_id": null}'),
  'audit_log_principal_has_a_client');
select tap.refused(pg_temp.audit('{"client_id": null, "principal_id": null}'),
  'audit_log_session_has_a_client');
select tap.refused(pg_temp.audit(jsonb_build_object('params_sha256', text)),
  'sha256_hex_is_64_hex_digits')
  from unnest(array['', repeat('A', 64), repeat('a', 63)]) as text;
select tap.refused(pg_temp.audit(jsonb_build_object('row_hash', text)),
  'sha256_hex_is_64_hex_digits')
  from unnest(array['', repeat('A', 64), repeat('a', 63)]) as text;
select tap.refused(pg_temp.audit(jsonb_build_object('audit_id', 2, 'previous_hash', text)),
  'sha256_hex_is_64_hex_digits')
  from unnest(array['', repeat('A', 64), repeat('a', 63)]) as text;
select throws_ok(pg_temp.audit('{"segment_id": 2}'), '23514', null,
  'there is no segment but the first yet');
select is_empty('select * from striatumd.audit_chain_head', 'a chain without rows has no head');
select lives_ok(pg_temp.audit(), 'a good row is taken');
select tap.refused(pg_temp.audit(), 'audit_log_1_pkey');
select lives_ok(pg_temp.audit(jsonb_build_object('audit_id', 2, 'previous_hash', repeat('b', 64),
  'client_id', null, 'principal_id', null, 'session_id', null, 'repository_id', null,
  'daemon_version', null, 'decision', 'denied', 'denial_reason', 'x', 'exit_code', 125,
  'request_id', null, 'method', repeat('é', 64), 'row_hash', repeat('c', 64))),
  'so is one of nobody who was denied');
select rows_are('select audit_id, row_hash from striatumd.audit_chain_head',
  $$ values (2::bigint, repeat('c', 64)) $$, 'the head of the chain is its newest row');

-- striatumd.events
create function pg_temp.event(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('events', jsonb_build_object('segment_id', 1, 'repository_id', 'r',
    'event_id', 1, 'run_id', 'run_1', 'event_type', 'run.prepared', 'actor_session_id', 's',
    'job_id', 'j', 'message_id', 'm', 'artifact_id', 'a', 'lease_id', 'l', 'payload_json', '{}',
    'created_at', '2026-11-30T10:00:00Z', 'recorded_at', '2026-11-30T10:00:00.5Z',
    'previous_hash', null, 'row_hash', repeat('b', 64)), p_change)
$$;
select throws_ok(pg_temp.event(jsonb_build_object(name, null)), '23502', null,
  'an event has its ' || name)
  from unnest(array['repository_id', 'event_id', 'event_type', 'payload_json', 'created_at',
    'recorded_at', 'row_hash']) as name;
select tap.refused(
  pg_temp.event(jsonb_build_object('event_id', 0, 'previous_hash', repeat('c', 64))),
  'counted_is_from_1');
select tap.refused(pg_temp.event(change), 'events_first_alone_has_no_previous')
  from unnest(array['{"event_id": 2}', jsonb_build_object('previous_hash', repeat('c', 64))])
    as change;
select tap.refused(pg_temp.event(jsonb_build_object('created_at', at)),
  'events_created_at_is_recorded_at_in_seconds')
  from unnest(array['2026-11-30T10:00:01Z', '2026-11-30T10:00:00.5Z']) as at;
select tap.refused(pg_temp.event(jsonb_build_object('event_type', type)),
  'event_type_is_noun_and_participle')
  from unnest(array['', 'run', 'run.', '.prepared', 'Run.prepared', 'run.a.b', 'run_.a']) as type;
select tap.refused(pg_temp.event(jsonb_build_object('payload_json', text)),
  'event_payload_is_an_object') from unnest(array['[]', '"a"', 'null']) as text;
select throws_ok(pg_temp.event('{"payload_json": "{"}'), '22P02', null, 'a payload is JSON');
select tap.refused(pg_temp.event(jsonb_build_object('payload_json',
  format('{"a": "%s"}', repeat('x', 262144 - 8)))), 'event_payload_is_bounded');
select tap.refused(
  pg_temp.event(jsonb_build_object('payload_json', jsonb_build_object(key, '')::text)),
  'event_payload_holds_no_transcript')
  from unnest(array['stdout', 'stderr', 'transcript', 'raw_output', 'provider_output']) as key;
select tap.refused(pg_temp.event(jsonb_build_object('row_hash', text)),
  'sha256_hex_is_64_hex_digits')
  from unnest(array['', repeat('A', 64), repeat('a', 63)]) as text;
select tap.refused(pg_temp.event(jsonb_build_object('event_id', 2, 'previous_hash', text)),
  'sha256_hex_is_64_hex_digits')
  from unnest(array['', repeat('A', 64), repeat('a', 63)]) as text;
select throws_ok(pg_temp.event('{"segment_id": 2}'), '23514', null, 'nor of events');
select lives_ok(pg_temp.event(jsonb_build_object('payload_json',
  format('{"a": "%s"}', repeat('x', 262144 - 9)))), 'a good row is taken');
select tap.refused(pg_temp.event(), 'events_1_pkey');
select lives_ok(pg_temp.event('{"repository_id": "q", "run_id": null, "actor_session_id": null,
  "job_id": null, "message_id": null, "artifact_id": null, "lease_id": null}'),
  'another repository begins with its own 1');

-- Append-only: through the table and through its partition, and nothing is gone.
create temp table was as
  select (select jsonb_agg(a) from striatumd.audit_log a) as audit,
         (select jsonb_agg(e) from striatumd.events e) as events;
select tap.refused(format(statement, chain || part), format('%s_1_is_append_only', chain))
  from unnest(array['update striatumd.%s set row_hash = row_hash',
                    'delete from striatumd.%s']) as statement,
       unnest(array['audit_log', 'events']) as chain, unnest(array['', '_1']) as part;
select tap.refused(format('truncate striatumd.%s', name), name || '_is_append_only')
  from unnest(array['audit_log', 'events', 'audit_log_1', 'events_1']) as name;
select tap.refused($$ insert into striatumd.events select * from striatumd.events
  on conflict (segment_id, repository_id, event_id) do update set run_id = 'forged' $$,
  'events_1_is_append_only');
select rows_are(
  $$ select (select jsonb_agg(a) from striatumd.audit_log a),
            (select jsonb_agg(e) from striatumd.events e) $$,
  'select audit, events from was', 'every row is as it was');
select ok(not has_table_privilege(login, name, 'update, delete, truncate'),
  format('%s may not change %s', login, name))
  from unnest(array['striatumd_rw', 'striatumd_rw_' || current_database()]) as login,
       unnest(array['striatumd.events', 'striatumd.events_1', 'striatumd.audit_log',
         'striatumd.audit_log_1']) as name;

-- A trigger that is switched off by replication's setting would guard nothing there.
select is_empty($$
  select tgrelid::regclass from pg_trigger where not tgisinternal and tgenabled <> 'O'
     and tgfoid = 'striatumd.append_only()'::regprocedure $$, 'each guard is on');
select rows_are($$
  select tgrelid::regclass, array_agg(tgname order by tgname) from pg_trigger
   where tgfoid = 'striatumd.append_only()'::regprocedure
   group by tgrelid order by tgrelid::regclass::text collate "C" $$,
  $$ select ('striatumd.' || name)::regclass, '{append_only,never_emptied}'::name[]
       from unnest(array['artifacts', 'audit_log', 'audit_log_1', 'events', 'events_1', 'verdicts',
         'work_packets', 'workflow_snapshots']) as name $$,
  'a guard of rows and one of all, for each table and partition');

select * from finish();
rollback;
