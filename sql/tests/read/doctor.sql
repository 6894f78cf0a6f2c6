-- doctor: what the live installation proves about itself.
-- STR-STORE-13: versions of substrate and schema, and how the audit chain stands.
-- STR-READSCOPE-06: pg_read_scope by live probes; where the functions that probe are not those that
-- were stamped at the last apply, the same answer says so.
-- STR-READSCOPE-08: every gate that was opened again stands in grant_drift.
-- STR-READSCOPE-09: private reads are denied exactly while every read goes through the door.
begin;
select plan(57);

-- given: all is well, but for what the server was started with
select tap.open_door();
select tap.client('bob', '{write}');
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
create function pg_temp.ask(p_params jsonb default '{}') returns jsonb language sql as $$
  select tap.ask('ada', 'doctor', p_params, '{"daemon_host": {"user": "builder", "uid": 1000}}')
$$;
create function pg_temp.after(p_statement text) returns jsonb language sql as $$
  select tap.after(replace(p_statement, ':login', 'striatumd_rw_' || current_database()),
    'select pg_temp.ask() -> ''data''')::jsonb
$$;
create function pg_temp.red(p_data jsonb) returns text language sql as $$
  select string_agg(c ->> 'name', ' ' order by n)
    from jsonb_path_query(p_data, '$.*.checks[*]') with ordinality as checks (c, n)
   where c -> 'ok' = 'false' and c ->> 'name' <> 'server_settings'
$$;
create temp table well as
  select tap.code(reply) as code, reply -> 'data' as data from pg_temp.ask() as reply;

-- does: two planes, each with an ok of its own
select is(code, 'ok', 'doctor answers') from well;
select is(jsonb_path_query_array(data, '$.availability.checks[*].name'),
  '["server_settings", "secret_exposure", "effects", "tokens",
    "active_job_without_active_lease", "stale_queue_message_claim",
    "active_session_on_terminal_run", "run_needs_operator"]', 'can it serve') from well;
select is(jsonb_path_query_array(data, '$.provenance.checks[*].name'),
  '["audit_chain", "event_chains", "fold", "run_fold", "live_functions", "grant_drift",
  "write_boundary", "table_rules", "runtime_role", "installation_kind",
    "lane_isolation", "reviewer_independence_unverified"]',
  'does the record hold what it claims') from well;
select is(pg_temp.red(data), null, 'all is well') from well;
select is(data #> '{provenance,ok}', 'true', 'so is that plane') from well;
select is(data #> '{availability,ok}', data #> '{availability,checks,0,ok}',
  'and the other, as far as the server''s settings go') from well;
select is(data -> 'ok', data #> '{availability,ok}', 'and the whole, if both are') from well;
select is(data -> 'ok', to_jsonb(data -> 'problems' = '[]'), 'then there is no problem') from well;
select is(data -> 'warnings', '["installation_kind: a test installation: a setting stops its '
  'clock, so no time proves anything"]', 'and one warning, as this is a test') from well;
select is(pg_temp.after('update striatumd.installation set kind = ''production''') -> 'warnings',
  '[]', 'which an installation of somebody''s has not');
select matches(data #>> '{provenance,checks,10,message}', '\(builder\)',
  'what was observed of the host is told') from well;

-- does: each bad state turns its own check red, and its own plane
create temp table states as
  select n, state, plane, seen, pg_temp.after(statement) as data from (values
  (1, 'a login''s setting', 'availability', 'secret_exposure',
    'alter role :login reset plan_cache_mode'),
  (2, 'an effect given up', 'availability', 'effects',
    $$ insert into striatumd.effects values ('eff_0123456789abcdef', 'thing_there', '{}', null,
       'c', 'r', 'abandoned', 8, '2026-01-01Z', '2026-01-01Z', '2026-01-01Z', 'no room') $$),
  (3, 'an effect that waits', 'availability', 'effects',
    $$ insert into striatumd.effects values ('eff_0123456789abcdef', 'thing_there', '{}', null,
       'c', 'r', 'planned', 0, '2026-01-01Z', '2026-11-30T09:58:59Z', null, null) $$),
  (4, 'the last token', 'availability', 'tokens',
    'update striatumd.clients set expires_at = ''2026-11-30T20:00:00Z'''),
  (5, 'an audit row', 'provenance', 'audit_chain',
    'set local session_replication_role = replica;
     update striatumd.audit_log set client_id = null'),
  (6, 'an event', 'provenance', 'event_chains fold',
    $$ insert into striatumd.events values (1, tap.repository('x'), 1, null, 'run.started', null,
       null, null, null, null, '{}', '2026-01-01Z', '2026-01-01Z', null, repeat('0', 64)) $$),
  (7, 'a repository', 'provenance', 'fold', 'select tap.repository(''x'')'),
  (8, 'a function', 'provenance', 'live_functions', 'alter function striatumd.hash_v3 stable'),
  (9, 'a privilege', 'provenance', 'grant_drift',
    'grant select on striatumd.events to :login'),
  (10, 'the owner''s rights', 'provenance', 'grant_drift write_boundary runtime_role',
    'grant striatum_owner to :login'),
  (11, 'a scope that lies', 'provenance', 'live_functions grant_drift',
    'create or replace function striatumd.read_scope() returns text language sql stable
       security definer set search_path = pg_catalog, pg_temp as ''select text ''''door_only'''''';
     grant select on striatumd.clients to :login'),
  (12, 'a rule', 'provenance', 'table_rules',
    'create rule gone as on insert to striatumd.effects do instead nothing'),
  (13, 'a method', 'provenance', 'live_functions',
    'update striatumd.methods set summary = ''Show'' where method = ''doctor''')
  ) as bad (n, state, plane, seen, statement);
select is(pg_temp.red(data), seen, 'red, by ' || state) from states order by n;
select is(data -> plane -> 'ok', 'false', 'its plane, by ' || state) from states order by n;
select is(bool_and(data #> '{provenance,ok}' = 'true'), true, 'the record holds what it claims')
  from states where plane = 'availability';
select is(bool_or((data -> 'ok')::boolean), false, 'and the whole is not ok') from states;
select is(data -> 'problems' @> '["fold: tables and events tell different things"]', true,
  'what is red is a problem, with its name') from states where n = 7;
select is(jsonb_array_length(data -> 'problems') - (select jsonb_array_length(w.data -> 'problems')
  from well w), 2, 'and each is') from states where n = 6;
select is_empty($$ select c from states, jsonb_path_query(data, '$.*.checks[*]') as c
  where (c -> 'ok' = 'false') = (c -> 'next' = '[]') $$,
  'what is red, and that alone, has a next step');

-- does: postures, by live probes
select is(data -> 'posture', '{"pg_write_boundary": "full", "pg_read_scope": "door_only",
  "private_read_denial": true, "grant_drift": [], "lane_isolation": "shared_user"}', 'as installed')
  from well;
select is((pg_temp.after(format('grant select %s to :login', right_given)) -> 'posture')
    - 'pg_write_boundary' - 'lane_isolation', jsonb_build_object('pg_read_scope', scope,
      'private_read_denial', false, 'grant_drift', drift), 'open: ' || right_given) from (values
  ('on striatumd.clients', 'broad_runtime_select', '["select on clients"]'::jsonb),
  ('(token_hash, token_salt) on striatumd.clients', 'broad_runtime_select',
    '["select on clients.token_hash", "select on clients.token_salt"]'),
  ('on striatumd.principals', 'broad_runtime_select', '["select on principals"]'),
  ('(principal_id) on striatumd.principal_clients', 'broad_runtime_select',
    '["select on principal_clients.principal_id"]'),
  ('on striatumd.client_sessions', 'broad_runtime_select', '["select on client_sessions"]'),
  ('on striatumd.events', 'partial_projection_gated', '["select on events"]')
  ) as open (right_given, scope, drift);
select is(pg_temp.after('drop trigger append_only on striatumd.audit_log')
  #>> '{posture,pg_write_boundary}', 'none', 'an audit log that can be changed');

-- does: versions
select is(data -> 'substrate', jsonb_build_object('name', 'postgres',
  'version', current_setting('server_version'),
  'schema_version', (select max(version) from striatumd.owner_bundles),
  'functions_sha256', (select functions_sha256 from striatumd.installation)), 'of what it runs on')
  from well;

-- does: how far it looks back
create or replace function striatumd.check_audit_chain(p_most bigint) returns jsonb
  language sql as $$
  select striatumd.finding('provenance', 'audit_chain', true, p_most::text, null, null)
$$;
select is(pg_temp.ask(params) #>> '{data,provenance,checks,0,message}', most,
  'rows of a chain, asked with ' || params::text) from (values
  ('{}'::jsonb, '10000'), ('{"whole": false}', '10000'),
  ('{"whole": true}', '9223372036854775806')) as depths (params, most);

-- refuses
select is(tap.code(tap.ask('bob', 'doctor', '{}')), 'capability_missing', 'whoever may not read');

-- at the boundary: a host that was not looked at
select is(tap.code(tap.ask('ada', 'doctor', '{}')), 'ok', 'is no reason not to answer');

-- around
select throws_ok($$ select striatumd.doctor(null, '{}') $$, '28000', 'daemon_authority_missing',
  'nobody asks it without the daemon''s secret');

select * from finish();
rollback;
