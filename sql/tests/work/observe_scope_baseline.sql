-- What is looked at before an attempt begins.
begin;
select plan(5);

-- given
select tap.open_door(), tap.run_stage();
select tap.session('one', 'author'), tap.session('critic', 'reviewer');
create function pg_temp.look(p_client text, p jsonb default '{}') returns jsonb language sql as $$
  select tap.ask(p_client, 'work.claim_next', p, '{}', '{"phase": "preflight"}')
    #> '{observe,scope_baseline}'
$$;

-- does
select is(pg_temp.look('one'), jsonb_build_object('job_id', tap.id('job', 'r.draft'), 'attempt', 1,
  'root', '/srv/app', 'allowed_paths', '["docs/"]'::jsonb), 'where its next job may write');
select is(pg_temp.look('ada', jsonb_build_object('repository_id', tap.id('repo', 'app'),
  'session_id', tap.id('sess', 'one'))), pg_temp.look('one'), 'also where another asks for it');
select is(pg_temp.look('critic'), '{}', 'nothing where there is no next job');
insert into striatumd.job_attempts values (tap.id('job', 'r.draft'), 1, '{}', '{}', now());
select is(pg_temp.look('one'), '{}', 'nor where its attempt has begun');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.observe_scope_baseline(null, null)', '28000',
  'daemon_authority_missing', 'not without the daemon''s secret');

select * from finish();
rollback;
