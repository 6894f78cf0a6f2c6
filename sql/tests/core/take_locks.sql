-- The locks that a method's class asks for.
begin;
select plan(32);

-- given
select tap.open_door();
create temp table at as select tap.repository('app') as app, tap.repository('other') as other;
grant usage on schema tap to striatum_owner;
create function striatumd.test_locks(p jsonb) returns striatumd.decision language sql as $$
  select striatumd.decided(jsonb_build_object(
    'app', tap.holds('striatum:repository:' || (p ->> 'app')),
    'other', tap.holds('striatum:repository:' || (p ->> 'other'))), '[]', '[]')
$$;
select tap.plant('test.none', '{"scope": "single_repo"}', 'return striatumd.test_locks(p);');
select tap.plant('test.repository', '{"scope": "single_repo", "lock_class": "repository"}',
  'return striatumd.test_locks(p);');
select tap.plant('test.effect', '{"internal": true, "capability": null, "lock_class": "effect"}',
  'return striatumd.test_locks(p);');
insert into striatumd.effects
select effect_id, 'x', '{}', repository_id, 'c', 'r', 'planned', 0, '2026-01-01Z', '2026-01-01Z'
  from at, lateral (values ('eff_0000000000000001', other), ('eff_0000000000000002', null))
    as effects (effect_id, repository_id);
create function pg_temp.ask(p_method text, p_more jsonb default '{}', p_client text default 'ada')
  returns jsonb language sql as $$
  select tap.ask(p_client, p_method, jsonb_build_object('repository_id', app, 'app', app,
    'other', other) || p_more) from at
$$;
create function pg_temp.effect(p_id text) returns jsonb language sql as $$
  select tap.ask(null, 'test.effect', jsonb_build_object('app', app, 'other', other,
    'effect_id', p_id), '{}', '{"transport": "internal"}') from at
$$;

-- does
select is(pg_temp.ask('test.none') -> 'data', '{"app": false, "other": false}', 'none takes none');
select is(pg_temp.effect('eff_0000000000000002') -> 'data', '{"app": false, "other": false}',
  'an effect of no repository takes none');
select is(pg_temp.effect(id) -> 'data', '{"app": false, "other": false}',
  'nor does one that there is not: ' || coalesce(id, 'null'))
  from unnest(array['eff_0000000000000009', null]) as id;
select is(tap.code(pg_temp.ask('test.repository', '{"repository_id": "repo_0000000000000000"}')),
  'repo_not_registered', 'who is refused before');
select ok(not tap.holds('striatum:repository:repo_0000000000000000'), 'takes none');
select is(pg_temp.ask('test.repository') -> 'data', '{"app": true, "other": false}',
  'repository takes that of the call''s repository, before the method runs');
select is(mode, 'ExclusiveLock', 'alone') from pg_locks, at
 where locktype = 'advisory' and pid = pg_backend_pid()
   and (classid::bigint << 32 | objid::bigint) = hashtextextended('striatum:repository:' || app, 0);
select is(pg_temp.effect('eff_0000000000000001') -> 'data', '{"app": true, "other": true}',
  'effect takes that of the effect''s repository');
select is((select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()),
  3::bigint, 'so there are two of repositories, and that of the audit chain');

-- at the boundary: a key is never null
create function pg_temp.take(p_class text, p_repository text, p_run text default null)
  returns void language sql as $$
  select tap.authorize();
  select striatumd.take_locks((null, null, null, p_repository, p_run, null, null, null,
    null)::striatumd.call_context, jsonb_populate_record(null::striatumd.methods,
      jsonb_build_object('method', 'x', 'lock_class', p_class)))
$$;
select throws_ok($$ select pg_temp.take('repository', null) $$, 'P0001',
  'lock class repository of x without a repository', 'there is no lock of none');
select lives_ok(format('select pg_temp.take(%L, null)', class), class || ' can do without')
  from unnest(array['none', 'effect']) as class;
select lives_ok($$ select pg_temp.take('none', 'r') $$, 'none');
select ok(not tap.holds('striatum:repository:r'), 'takes none even of a repository');
select lives_ok($$ select pg_temp.take('repository', 'r') $$, 'repository');
select ok(tap.holds('striatum:repository:r'), 'takes it');
select lives_ok($$ select pg_temp.take('repository', 'r') $$, 'and again');

-- STR-LOCK-01: what acts on a run takes the run's lock, under that of its repository
create function pg_temp.mode(p_key text) returns text language sql as $$
  select string_agg(mode, ', ' order by mode) from pg_locks
   where locktype = 'advisory' and pid = pg_backend_pid()
     and (classid::bigint << 32 | objid::bigint) = hashtextextended(p_key, 0)
$$;
select lives_ok(format('select pg_temp.take(%L, %L, %L)', class, class, 'x'), class)
  from unnest(array['run', 'session', 'job', 'blocker', 'supervisor']) as class;
select is(string_agg(class, ' '), 'run session job blocker supervisor',
  'lock the run alone, and share the repository')
  from unnest(array['run', 'session', 'job', 'blocker', 'supervisor']) as class
 where pg_temp.mode('striatum:run:' || class || ':x') = 'ExclusiveLock'
   and pg_temp.mode('striatum:repository:' || class) = 'ShareLock';
select ok(not tap.holds('striatum:run:run:y'), 'STR-LOCK-04: another run is free');
select lives_ok($$ select pg_temp.take('repository_run', 'whole', 'x') $$, 'repository_run');
select is(pg_temp.mode('striatum:repository:whole'), 'ExclusiveLock', 'locks the repository alone');
select is(pg_temp.mode('striatum:run:whole:x'), 'ExclusiveLock', 'and the run');
select throws_ok(format('select pg_temp.take(%L, %L)', class, 'r'), 'P0001',
  format('lock class %s of x without a run', class), class || ' without a run is a fault')
  from unnest(array['run', 'session', 'repository_run']) as class;

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.take_locks(null, null)', '28000', 'daemon_authority_missing',
  'nobody locks without the daemon''s secret');

select * from finish();
rollback;
