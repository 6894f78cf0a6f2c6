-- What a call acts on, and what its client holds there.
begin;
select plan(37);

-- given
select tap.open_door();
create temp table at as select tap.repository('app') as app, tap.repository('other') as other;
select tap.client('mixed', '{claim}');
select tap.plant('test.global'), tap.plant('test.here', '{"scope": "single_repo"}'),
       tap.plant('test.effect', '{"lock_class": "effect", "internal": true, "capability": null}');
insert into striatumd.client_capabilities
  (client_id, capability, repository_id, granted_at, revoked_at)
select tap.client_id('mixed'), capability::striatumd.capability, repository_id, '2026-01-01Z',
       revoked_at
  from at, lateral (values ('read', app, null::timestamptz), ('write', app, null),
                           ('claim', app, null), ('review', other, null),
                           ('admin', null, '2026-01-02Z')
           ) as grants (capability, repository_id, revoked_at);
create function pg_temp.scoped(p_method text, p_params jsonb, p_client text default 'mixed',
    p_session_id text default null, p_repository_id text default 'before')
  returns text language sql as $$
  select tap.authorize();
  select concat_ws(' ', c.repository_id, c.capabilities) from striatumd.methods m,
         striatumd.scoped((tap.client_id(p_client), null, p_session_id, p_repository_id, null,
      '{surgical_recovery}', null, null, null)::striatumd.call_context, m, p_params) c
   where m.method = p_method
$$;
create function pg_temp.in(p_repository text) returns jsonb language sql as $$
  select jsonb_build_object('repository_id', p_repository)
$$;

-- does
select is(pg_temp.scoped('test.here', pg_temp.in(app)), app || ' {read,write,claim}',
  'in a repository what was granted for it or for all, each once') from at;
select is(pg_temp.scoped('test.here', pg_temp.in(other)), other || ' {review,claim}',
  'in another what was granted there') from at;
select is(pg_temp.scoped('test.here', pg_temp.in('x')), 'x {claim}',
  'in one that there is not, what was granted for all');
select is(pg_temp.scoped('test.here', '{}'), '{claim}', 'in none that, too');
select is(pg_temp.scoped('test.global', pg_temp.in(app)), '{read,claim}',
  'in the daemon what was granted for all, and to read, which may be for any') from at;
select is(pg_temp.scoped('test.here', pg_temp.in(app), 'nobody'), app || ' {}',
  'who was granted nothing holds nothing') from at;

select is(pg_temp.scoped('test.here', params, 'mixed', 'sess_0123456789abcdef', app),
  app || ' {read,write,claim}',
  'of a session''s token the session''s, whatever is named: ' || params::text)
  from at, unnest(array['{}', pg_temp.in(other)]) as params;
select is(pg_temp.scoped('test.global', '{}', 'mixed', 'sess_0123456789abcdef', app),
  '{read,claim}', 'and none where the daemon is meant') from at;

-- an effect
insert into striatumd.effects
select 'eff_0123456789abcdef', 'x', '{}', app, 'c', 'r', 'planned', 0, '2026-01-01Z', '2026-01-01Z'
  from at;
select is(pg_temp.scoped('test.effect', '{"effect_id": "eff_0123456789abcdef"}'),
  app || ' {surgical_recovery}',
  'the outcome of an effect acts on the effect''s repository') from at;
select is(pg_temp.scoped('test.effect', jsonb_build_object('effect_id', id)), '{surgical_recovery}',
  'of one that there is not, on none: ' || coalesce(id, 'null'))
  from unnest(array['eff_0000000000000000', null]) as id;

-- what names the run
select tap.run_stage(), tap.run_stage('s', 'other');
select tap.session('one', 'author'), tap.session('two', 'author', 's');
insert into striatumd.blockers (blocker_id, repository_id, run_id, severity, kind, state,
  description, payload_json, opened_at)
values (tap.id('blk', 'one'), tap.id('repo', 'app'), tap.id('run', 'r'), 'blocked', 'x', 'open',
  'x', '{}', '2026-01-01Z');
create function pg_temp.run(p_class text, p_params jsonb, p_session_id text default null)
  returns text language sql as $$
  select tap.authorize();
  select coalesce((striatumd.scoped((tap.client_id('mixed'), null, p_session_id,
      case when p_session_id is not null then app end, 'before', null, null, null,
      null)::striatumd.call_context, jsonb_populate_record(null::striatumd.methods,
      jsonb_build_object('method', 'x', 'scope', 'single_repo', 'lock_class', p_class)),
      jsonb_build_object('repository_id', app) || p_params)).run_id, 'none') from at
$$;
create temp table named (class, key, prefix, here, there) as values
  ('run', 'run_id', 'run', 'r', 's'), ('repository_run', 'run_id', 'run', 'r', 's'),
  ('session', 'session_id', 'sess', 'one', 'two'), ('job', 'job_id', 'job', 'r.draft', 's.draft'),
  ('blocker', 'blocker_id', 'blk', 'one', 'two'),
  ('supervisor', 'supervisor_id', 'sup', 'one', 'two');
select is(pg_temp.run(class, jsonb_build_object(key, tap.id(prefix, here))), tap.id('run', 'r'),
  class || ': the run of what is named') from named;
select is(pg_temp.run(class, jsonb_build_object(key, tap.id(prefix, there))), 'none',
  class || ': none where that is of another repository') from named;
select is(pg_temp.run('session', '{}', tap.id('sess', 'one')), tap.id('run', 'r'),
  'session: of the token''s, where none is named');
select is(pg_temp.run('session', '{}'), 'none', 'session: none without any');
select is(pg_temp.run('job', '{"job_id": null}'), 'none', 'job: none without any');
select is(pg_temp.run('none', jsonb_build_object('run_id', tap.id('run', 'r'))), 'none',
  'a class of no run names none');

-- the daemon's own calls: whatever repository the run or the supervisor is of
create function pg_temp.inner(p_class text, p_params jsonb) returns text language sql as $$
  select tap.authorize();
  select concat_ws(' ', c.repository_id, c.run_id) from striatumd.scoped((null, null, null,
      'before', 'before', null, null, null, null)::striatumd.call_context,
      jsonb_populate_record(null::striatumd.methods, jsonb_build_object('method', 'x', 'scope',
        'daemon_global', 'internal', true, 'lock_class', p_class)), p_params) c
$$;
select is(pg_temp.inner(class, jsonb_build_object(key, tap.id(prefix, name))),
  concat_ws(' ', tap.id('repo', repository), tap.id('run', run)),
  format('%s: of %s', class, repository)) from named, lateral (values (here, 'app', 'r'),
    (there, 'other', 's')) as each (name, repository, run) where class in ('run', 'supervisor');
select is(pg_temp.inner(class, jsonb_build_object(key, prefix || '_0000000000000000')), '',
  class || ': of none where there is none') from named where class in ('run', 'supervisor');

-- through the door: the method is told the same
create or replace function striatumd.test_here(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision language sql as $$
  select striatumd.decided(to_jsonb(p_call) - 'at' - 'request_id', '[]', '[]')
$$;
select is(tap.ask('ada', 'test.here', pg_temp.in(app)) -> 'data', jsonb_build_object('client_id',
  tap.client_id('ada'), 'principal_id', null, 'session_id', null, 'repository_id', app, 'run_id',
  null, 'capabilities', enum_range(null::striatumd.capability), 'observed',
  '{"daemon": {"version": "0.1.0", "instance_id": "i-1"}}'::jsonb),
  'the method is told') from at;

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.scoped(null, null, null) $$, '28000',
  'daemon_authority_missing', 'nobody is told without the daemon''s secret');
select is(tap.sqlstate_of('select striatumd.scoped(null, null, null)', 'striatumd_rw'), '42501',
  'and the runtime login not at all');

select * from finish();
rollback;
