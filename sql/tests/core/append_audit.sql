-- The audit chain: every row is linked to the one before, and says who asked for what.
-- STR-AUTHZ-23: what a row says.
begin;
select plan(28);

-- given
select tap.open_door();
select tap.client('bob', '{read}');
insert into striatumd.principals values ('p-ada', 'human', 'Ada', '2026-01-01Z');
insert into striatumd.principal_clients (principal_id, client_id, linked_at)
values ('p-ada', tap.client_id('ada'), '2026-01-01Z');
create temp table app as select tap.repository('app') as id;
select tap.plant('test.echo');
select tap.plant('test.inner', '{"internal": true, "capability": null}');
select tap.plant('test.here', '{"scope": "single_repo", "lane": true}');
select tap.client('lane', '{read}');
insert into striatumd.client_sessions
select tap.client_id('lane'), 'sess_0123456789abcdef', id, '2026-01-01Z' from app;
create function pg_temp.columns(p_from int, variadic p_columns text[]) returns jsonb
  language sql as $$
  select jsonb_object_agg(key, value) from striatumd.audit_log a, jsonb_each(to_jsonb(a))
   where audit_id = p_from and key = any (p_columns)
$$;

-- does
select set_config('striatum.test_now', '2026-11-30T10:00:00.999999Z', true);
select is_empty('select * from striatumd.audit_log', 'the chain is empty');
select is(tap.ask('ada', 'test.echo', '{"b": 1, "a": "é"}', '{}', '{"request_id": "r-1"}')
  ->> 'audit_id', '1', 'the first row is number 1');
select is(pg_temp.columns(1, 'daemon_version', 'client_id', 'principal_id', 'session_id',
  'repository_id', 'method', 'decision', 'denial_reason', 'transport', 'request_id', 'exit_code',
  'previous_hash', 'segment_id', 'schema_version', 'hash_format_version'),
  jsonb_build_object('daemon_version', '0.1.0', 'client_id', tap.client_id('ada'), 'principal_id',
    'p-ada', 'session_id', null, 'repository_id', null, 'method', 'test.echo', 'decision',
    'allowed', 'denial_reason', null, 'transport', 'rpc', 'request_id', 'r-1', 'exit_code', null,
    'previous_hash', null, 'segment_id', 1, 'schema_version', 1, 'hash_format_version', 3),
  'it says who, what, by which way, and how it ended');
select is((ts, recorded_at)::text, (timestamptz '2026-11-30T10:00:00Z',
  timestamptz '2026-11-30T10:00:00.999999Z')::text, 'and when: in seconds, and for display')
  from striatumd.audit_log;
select is(params_sha256::text, encode(sha256('{"a": "é", "b": 1}'::text::bytea), 'hex'),
  'of the parameters it holds the hash of their text as jsonb') from striatumd.audit_log;

select set_config('striatum.test_now', '2026-11-30T10:00:01Z', true);
select is(tap.code(tap.ask('lane', 'test.here', '{}', '{}', '{"transport": "mcp"}')), 'ok',
  'a lane');
select is(pg_temp.columns(2, 'client_id', 'session_id', 'repository_id', 'transport'),
  jsonb_build_object('client_id', tap.client_id('lane'), 'session_id', 'sess_0123456789abcdef',
    'repository_id', id, 'transport', 'mcp'), 'is on record with its session and repository')
  from app;
select is(tap.code(tap.ask('ada', 'test.here', jsonb_build_object('repository_id', id))), 'ok',
  'whoever names a repository') from app;
select is(pg_temp.columns(3, 'repository_id'), jsonb_build_object('repository_id', id),
  'is on record with that one') from app;
select is(tap.code(tap.ask('bob', 'repo.add', '{"path": "/x"}', '{}', '{"transport": "web"}')),
  'capability_missing', 'who is denied');
select is(pg_temp.columns(4, 'client_id', 'decision', 'denial_reason', 'exit_code', 'transport'),
  jsonb_build_object('client_id', tap.client_id('bob'), 'decision', 'denied',
    'denial_reason', 'capability_missing', 'exit_code', 13, 'transport', 'web'),
  'is on record with the reason and the exit code that is the code''s own');
select is(tap.code(tap.ask(null, 'test.inner', '{}', '{}', '{"transport": "internal"}')), 'ok',
  'the daemon itself');
select is(pg_temp.columns(5, 'client_id', 'transport'),
  '{"client_id": "striatumd-i-1", "transport": "internal"}', 'is on record as its instance');
select is(tap.code(tap.ask(null, 'x', '{}', '{}', '{"phase": "reject", "refusal":
  {"code": "internal_error"}}')), 'internal_error', 'what fails by a fault of ours');
select is(pg_temp.columns(6, 'client_id', 'decision', 'denial_reason', 'exit_code'), '{
  "client_id": null, "decision": "error", "denial_reason": "internal_error", "exit_code": 1}',
  'is on record as an error');

-- at the boundary: what does not fit is cut
select is(tap.code(tap.ask('ada', repeat('é', 100), '{}', '{}',
  jsonb_build_object('request_id', repeat('x', 4096)))), 'method_unknown',
  'a name that is too long');
select is(pg_temp.columns(7, 'method', 'request_id'), jsonb_build_object('method', repeat('é', 64),
  'request_id', repeat('x', 128)), 'is on record, cut to 128 octets');
select is(tap.code(tap.ask(null, 'x', '{}', '{}', '{"method": null, "request_id": null,
  "daemon": null}')), 'method_unknown', 'a request without anything');
select is(pg_temp.columns(8, 'method', 'request_id', 'daemon_version'),
  '{"method": "", "request_id": null, "daemon_version": null}', 'is on record, too');
select is(params_sha256::text, encode(sha256('{}'), 'hex'), 'its parameters as none')
  from striatumd.audit_log where audit_id = 8;

-- the chain
select is((select array_agg(audit_id::bigint order by audit_id) from striatumd.audit_log),
  array[1, 2, 3, 4, 5, 6, 7, 8]::bigint[], 'the ids have no gap');
select is_empty($$
  select audit_id from (select *, lag(row_hash) over (order by audit_id) as before
                          from striatumd.audit_log) a
   where previous_hash is distinct from before $$, 'each row carries the hash of the one before');
select is_empty($$
  select audit_id from striatumd.audit_log
   where row_hash <> striatumd.hash_v3(striatumd.utc_seconds(ts), schema_version::text,
     hash_format_version::text, daemon_version, client_id, repository_id, method, decision::text,
     denial_reason, transport::text, request_id, exit_code::text, params_sha256, previous_hash,
     segment_id::text) $$, 'each hash is the one over the columns as they are stored');
select is(row_hash::text, (select row_hash::text from striatumd.audit_log where audit_id = 8),
  'the head is the last') from striatumd.audit_chain_head;
select is((select count(distinct row_hash) from striatumd.audit_log), 8::bigint,
  'no two rows have the same hash');

-- refuses
create function pg_temp.append() returns text language sql as $$
  select 'select striatumd.append_audit(null, ''{"method": "x", "transport": "rpc"}'', null)'
$$;
select throws_ok(pg_temp.append(), '28000', 'daemon_authority_missing',
  'without the daemon''s secret nothing is appended');
select ok(not tap.holds('striatum:audit:x'), 'a lock of another name is none');

-- the lock comes before the question for authority
create or replace function striatumd.assert_daemon_authority() returns void language plpgsql as $$
begin
  if not tap.holds('striatum:audit') then
    raise exception using errcode = 'TAP01';
  end if;
end
$$;
grant usage on schema tap to striatum_owner;
select is(tap.sqlstate_of(pg_temp.append()), null,
  'authority is asked for under the lock of the chain');

select * from finish();
rollback;
