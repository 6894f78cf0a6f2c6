-- A daemon begins to serve: its secret takes the place of the one before. That it waits for nobody
-- who serves takes two sessions to see.
begin;
select plan(41);

-- given
create function pg_temp.verifier(p_what text) returns text language sql as $$
  select format('SCRAM-SHA-256$4096:%s$%s:%s', encode(repeat(p_what, 16)::bytea, 'base64'),
    encode(sha256(p_what::bytea), 'base64'), encode(sha256((p_what || 'x')::bytea), 'base64'))
$$;
create function pg_temp.held() returns jsonb language sql as $$
  select jsonb_build_object('functions_sha256', functions_sha256, 'bundles',
    (select jsonb_agg(to_jsonb(b) - 'applied_on' order by version) from striatumd.owner_bundles b))
    from striatumd.installation
$$;
create function pg_temp.boot(p_instance text, p_authority bytea, p_verifier text) returns jsonb
  language sql as $$
  select striatumd.bootstrap_instance(p_instance, p_authority, p_verifier, pg_temp.held())
$$;
create temp view password as
  select rolpassword as is from pg_authid where rolname = 'striatumd_rw_' || current_database();
create function pg_temp.ask(p_authority bytea) returns text language sql as $$
  select tap.code(striatumd.call(p_authority, '{"method": "x", "transport": "rpc",
    "phase": "decide"}'))
$$;
create function pg_temp.holds_authority(p_authority bytea) returns boolean language plpgsql as $$
begin
  return pg_temp.ask(p_authority) = 'method_unknown';
exception when invalid_authorization_specification then
  return false;
end
$$;
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);

-- does
create temp table first as
  select pg_temp.boot('i-1', repeat('first', 8)::bytea, pg_temp.verifier('1')) as said;
select is(said -> 'boot_epoch', '1', 'the first daemon begins epoch 1') from first;
select is(said -> 'functions_sha256', to_jsonb(functions_sha256),
  'and is told which functions the database holds') from first, striatumd.installation;
select is((said #> '{bundles,0}') - 'checksum', '{"name": "domains", "version": 1}',
  'and which bundles') from first;
select is(jsonb_array_length(said -> 'bundles'),
  (select count(*) from striatumd.owner_bundles)::int,
  'all of them') from first;
select rows_are(
  'select instance_id, boot_epoch, bootstrapped_at, octet_length(salt)
     from striatumd.daemon_authority',
  $$ values ('i-1', 1::bigint, timestamptz '2026-11-30T10:00:00Z', 32) $$, 'it is on record');
select is(digest, sha256(repeat('first', 8)::bytea || salt), 'with the digest of its secret')
  from striatumd.daemon_authority;
select ok(pg_temp.holds_authority(repeat('first', 8)::bytea), 'it can ask the door');
select is(password.is, pg_temp.verifier('1'), 'the runtime login has its password') from password;
select ok(tap.holds('striatum:serving'), 'and it holds the serving lock');
select is(current_setting('striatum.daemon_auth', true), '', 'its secret is gone from the session');
select rows_are(
  $$ select audit_id, method, client_id, decision::text, transport::text, params_sha256
       from striatumd.audit_log where method = 'bootstrap_instance' $$,
  $$ values (1::bigint, 'bootstrap_instance', 'striatumd-i-1', 'allowed', 'internal',
             striatumd.params_sha256('{"boot_epoch": 1}')) $$,
  'its beginning is in the audit chain');

-- the next one (this session holds the lock already, so it gets it again)
create temp table salt_before as select salt from striatumd.daemon_authority;
select is(pg_temp.boot('i-2', repeat('second', 6)::bytea, pg_temp.verifier('2'))
  -> 'boot_epoch', '2',
  'the next daemon begins the next epoch');
select is((select count(*) from striatumd.daemon_authority), 1::bigint, 'there is one authority');
select is(instance_id, 'i-2', 'and it is the new one') from striatumd.daemon_authority;
select isnt(a.salt, b.salt, 'under a salt of its own') from striatumd.daemon_authority a,
  salt_before b;
select ok(not pg_temp.holds_authority(repeat('first', 8)::bytea), 'the one before is dead at once');
select ok(pg_temp.holds_authority(repeat('second', 6)::bytea), 'the new one asks the door');
select is(password.is, pg_temp.verifier('2'), 'the password is another') from password;
select is(pg_temp.boot('i-2', repeat('second', 6)::bytea, pg_temp.verifier('3'))
  -> 'boot_epoch', '3',
  'the same daemon again is an epoch of its own');
select is_empty($$
  select audit_id from (select *, lag(row_hash) over (order by audit_id) as before
                          from striatumd.audit_log) a
   where previous_hash is distinct from before
      or row_hash <> striatumd.hash_v3(striatumd.utc_seconds(ts), '1', '3', daemon_version,
           client_id, repository_id, method, decision::text, denial_reason, transport::text,
           request_id, exit_code::text, params_sha256, previous_hash, segment_id::text) $$,
  'the chain holds over all of them');

-- refuses, and changes nothing then
create temp table before as
  select to_jsonb(a) as authority, password.is as password,
         (select count(*) from striatumd.audit_log)
    from striatumd.daemon_authority a, password;
select throws_ok(format('select pg_temp.boot(%L, %L, %L)', instance, authority, verifier), state,
  null, 'not ' || what)
  from (values
    ('i-4', repeat('x', 31)::bytea, pg_temp.verifier('4'), 'P0001', 'with a short secret'),
    ('i-4', '', pg_temp.verifier('4'), 'P0001', 'with an empty one'),
    ('i-4', null, pg_temp.verifier('4'), 'P0001', 'without one'),
    ('i 4', repeat('x', 32)::bytea, pg_temp.verifier('4'), '23514', 'under a name that is no word'),
    (null, repeat('x', 32)::bytea, pg_temp.verifier('4'), '23502', 'without a name'),
    ('i-4', repeat('x', 32)::bytea, 'hunter2', 'P0001', 'with a password'),
    ('i-4', repeat('x', 32)::bytea, 'md5' || md5('x'), 'P0001', 'with a verifier of the old kind'),
    ('i-4', repeat('x', 32)::bytea, '', 'P0001', 'with an empty verifier'),
    ('i-4', repeat('x', 32)::bytea, null, 'P0001', 'without a verifier'),
    ('i-4', repeat('x', 32)::bytea, pg_temp.verifier('4') || ''' superuser', 'P0001',
      'with more than a verifier')) as bad (instance, authority, verifier, state, what);
select is(striatumd.bootstrap_instance('i-5', repeat('x', 32)::bytea, pg_temp.verifier('5'),
  carried), pg_temp.held(), 'who carries ' || what || ' is told what the database holds, no more')
  from (values
    ('other functions', pg_temp.held() || '{"functions_sha256": "0"}'),
    ('a bundle less', pg_temp.held() #- '{bundles,0}'),
    ('a bundle more', jsonb_insert(pg_temp.held(), '{bundles,0}', '{"version": 0}')),
    ('another bundle', jsonb_set(pg_temp.held(), '{bundles,0,checksum}', '"0"')),
    ('nothing', null)) as other (what, carried);
select is((select to_jsonb(a) from striatumd.daemon_authority a), authority, 'the authority stands')
  from before;
select is(password.is, password, 'and the password') from password, before;
select is((select count(*) from striatumd.audit_log), count, 'no row was appended') from before;

-- around the door: bootstrap alone, and nothing else
select is(tap.sqlstate_of(
  $$ select striatumd.bootstrap_instance('i-6', repeat('x', 32)::bytea, null, null) $$, login),
  '42501',
  login || ' cannot bootstrap')
  from unnest(array['striatumd_rw', 'striatumd_rw_' || current_database()]) as login;
select is(tap.sqlstate_of(format('select striatumd.bootstrap_instance(%L, %L, %L, %L)', 'i-6',
  repeat('x', 32)::bytea, pg_temp.verifier('6'), pg_temp.held()), 'striatum_bootstrap'), null,
  'striatum_bootstrap can');

select * from finish();
rollback;
