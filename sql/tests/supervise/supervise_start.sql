-- supervise.start: the agent of a session.
-- STR-SUPERVISE-03: of one that is active, on a lane of processes, and has none.
-- STR-SUPERVISE-04: the start is on record before anything runs.
-- STR-SUPERVISE-01, STR-SESSION-18: one active supervisor a session, those before it stay.
begin;
select plan(25);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
alter table striatumd.workflow_snapshots disable trigger append_only;
update striatumd.workflow_snapshots set workflow = jsonb_set(jsonb_set(workflow, '{lanes,manual}',
  '{"adapter": "manual"}'), '{lanes,author,command_env}', '{"MODE": "quiet"}');
select tap.session(name, 'author', p_supervisor => null) from unnest('{s,ended}'::text[]) as name;
select tap.session('has', 'author'), tap.session('early', 'author', p_supervisor => 'starting'),
       tap.session('lost', 'reviewer', p_supervisor => 'lost'),
       tap.session('hand', 'manual', p_supervisor => null);
update striatumd.sessions set state = 'expired', closed_at = '2026-01-02Z'
 where session_id = tap.id('sess', 'ended');
select tap.told();
select set_config('striatum.test_now', '2026-01-02T00:00:00Z', true);
create function pg_temp.start(p_name text, p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'supervise.start', jsonb_build_object('repository_id',
    tap.id('repo', 'app'), 'session_id', tap.id('sess', p_name)), jsonb_build_object('lane_secret',
    tap.minted('hush') -> 'minted_secret'))
$$;
create temp table first as select pg_temp.start('s') as reply;
create temp table made as select * from striatumd.process_supervisors
 where session_id = tap.id('sess', 's');

-- does
select is(reply -> 'data', jsonb_build_object('supervisor_id', supervisor_id, 'session_id',
  tap.id('sess', 's'), 'run_id', tap.id('run', 'r'), 'lane_id', 'author', 'state', 'starting',
  'command', '["agent", "author"]'::jsonb), 'a start is answered') from first, made;
select is(concat_ws(' ', state, run_id, repository_id, command, agent_pid, started_at),
  concat_ws(' ', 'starting', tap.id('run', 'r'), tap.id('repo', 'app'), '["agent", "author"]',
    timestamptz '2026-01-02Z'), 'no process is known yet') from made;
select is(event_type || ' ' || (payload_json::jsonb #>> '{changes,0,to,state}'),
  'supervisor.starting starting', 'it is on record') from striatumd.events where event_id = 2;
select is(args, jsonb_build_object('supervisor_id', supervisor_id,
  'run_id', tap.id('run', 'r'), 'session_id', tap.id('sess', 's'), 'client_id', made.client_id,
  'repository_id', tap.id('repo', 'app'), 'role_id', 'author', 'lane_id', 'author',
  'command', '["agent", "author"]'::jsonb, 'command_env', '{"MODE": "quiet"}'::jsonb,
  'path_prefix', '[]'::jsonb, 'root', '/srv/app'), 'and ordered, with all that it takes')
  from made, striatumd.effects;
select is(reply -> 'effects', jsonb_build_array(effect_id), 'it is waited for')
  from first, striatumd.effects;

-- does: its token
select tap.rows_are($$ select c.display_name, g.capability, g.repository_id, b.session_id
    from made join striatumd.clients c using (client_id)
    join striatumd.client_capabilities g using (client_id)
    join striatumd.client_sessions b using (client_id) order by g.capability $$,
  format('select ''author-author-1'', capability::striatumd.capability, %L, %L
            from unnest(''{read,write,claim,review}''::text[]) as capability order by 2',
    tap.id('repo', 'app'), tap.id('sess', 's')),
  'the agent''s token works for that session of that repository, and administers nothing');
select is(tap.ask(null, 'run.events', jsonb_build_object('run_id', tap.id('run', 'r')), '{}',
  tap.token(client_id, 'hush')) -> 'ok', 'true', 'its secret is the one that was made') from made;
select is(reply::text !~ 'hush' and args::text !~ 'hush|hash|salt', true, 'and is written nowhere')
  from first, striatumd.effects;
select is(tap.code(tap.ask(null, 'supervise.start', jsonb_build_object('repository_id',
  tap.id('repo', 'app'), 'session_id', tap.id('sess', 's')), '{}', tap.token(client_id, 'hush'))),
  'capability_denied', 'an agent starts no agents') from made;

-- refuses
create temp table rows_before as select count(*) from striatumd.clients;
select is(tap.code(pg_temp.start(name)), code, says) from (values
  ('s', 'supervisor_active', 'one that is being started'),
  ('early', 'supervisor_active', 'and so was this'),
  ('has', 'supervisor_active', 'one that runs'),
  ('ended', 'session_inactive', 'a session that has ended'),
  ('hand', 'lane_not_supervised', 'a lane without a process'),
  ('nobody', 'session_not_found', 'no such session')) as bad (name, code, says);
select is(pg_temp.start('has') #> '{error,details}', jsonb_build_object('session_id',
  tap.id('sess', 'has'), 'supervisor_id', tap.id('sup', 'has')), 'it says which there is');
select is(pg_temp.start('ended') #> '{error,next}', jsonb_build_array(format(
  'striatum session register %s author author', tap.id('run', 'r'))), 'and what to do instead');
select is(pg_temp.start('hand') #> '{error,details}', '{"lane_id": "manual", "adapter": "manual"}',
  'and of which lane it speaks');
select is(tap.after($$ update striatumd.workflow_snapshots set workflow =
    workflow #- '{lanes,author,command}';
    delete from striatumd.process_supervisors where session_id = tap.id('sess', 's') $$,
  $$ select tap.code(pg_temp.start('s')) $$), 'lane_not_supervised', 'a process without a command');
select is((select count(*) from striatumd.clients), count, 'nothing was changed') from rows_before;

-- at the boundary: another, after one that was lost
select is(pg_temp.start('lost') #>> '{data,state}', 'starting',
  'one that was lost is started again');
select tap.rows_are($$ select state from striatumd.process_supervisors
    where session_id = tap.id('sess', 'lost') order by state $$, '{starting,lost}'::text[],
  'beside what is on record of it');
select throws_ok($$ update striatumd.process_supervisors set state = 'attached', ended_at = null
  where supervisor_id = tap.id('sup', 'lost') $$, '23505', null, 'two cannot be active');

-- around
select is(striatumd.run_fold_difference(tap.id('run', 'r')), null, 'the events tell all of it');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.supervise_start(null, '{}') $$, '28000',
  'daemon_authority_missing', 'nobody starts without the daemon''s secret');

select * from finish();
rollback;
