-- The outcome of an agent's start.
-- STR-SUPERVISE-04: a supervisor is attached once its agent's process is there, which is on record.
begin;
select plan(25);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session(name, 'author', p_supervisor => 'starting')
  from unnest('{s,failing,hopeless,stopped,neighbour}'::text[]) as name;
update striatumd.process_supervisors set agent_pid = null, agent_start_token = null,
    helper_pid = null, helper_start_token = null, terminal = null, observed_command = null;
select tap.told();
insert into striatumd.effects (effect_id, kind, args, repository_id, client_id, request_id, state,
  attempts, not_before, planned_at)
select tap.id('eff', name), 'agent_running', jsonb_build_object('supervisor_id',
         tap.id('sup', name), 'run_id', tap.id('run', 'r')), tap.id('repo', 'app'), 'c', 'r',
       'planned', 0, '2026-01-02Z', '2026-01-02Z'
  from unnest('{s,failing,hopeless,stopped}'::text[]) as name;
select set_config('striatum.test_now', '2026-01-02T00:00:00Z', true);
create function pg_temp.record(p_name text, p_outcome jsonb, p_attempt int default 1) returns jsonb
  language sql as $$
  select tap.ask(null, 'effect.record', jsonb_build_object('effect_id', tap.id('eff', p_name),
    'attempt', p_attempt) || p_outcome, '{}', '{"transport": "internal", "phase": "record"}')
$$;
create function pg_temp.stands(p_name text) returns text language sql as $$
  select concat_ws(' ', u.state, u.agent_pid, u.agent_start_token, u.helper_pid,
           u.helper_start_token, u.terminal, u.observed_command, u.end_reason,
           case when c.revoked_at is not null then 'revoked' end, s.state)
    from striatumd.process_supervisors u join striatumd.sessions s using (session_id)
    join striatumd.clients c on c.client_id = u.client_id
   where u.supervisor_id = tap.id('sup', p_name)
$$;
create temp table started as select '{"is_done": true, "problem": "", "seen": {"agent_pid": 12,
  "agent_start_token": "boot:5", "helper_pid": 11, "helper_start_token": "boot:4",
  "terminal": "/dev/pts/3", "command": ["/usr/bin/agent", "author"]}}'::jsonb as outcome;

-- does
select is(pg_temp.record('s', outcome) - 'audit_id', jsonb_build_object('ok', true, 'effects',
  '[]'::jsonb, 'wakes', jsonb_build_array('events:' || tap.id('run', 'r'),
    'run:' || tap.id('run', 'r')), 'data', jsonb_build_object('effect_id', tap.id('eff', 's'),
    'state', 'done', 'not_before', '2026-01-02T00:00:01.000000Z')),
  'an agent that runs wakes whoever waits for it') from started;
select is(pg_temp.stands('s'), 'attached 12 boot:5 11 boot:4 /dev/pts/3 '
  '["/usr/bin/agent", "author"] active', 'it is attached, as it was seen');
select is(event_type || ' ' || run_id, 'supervisor.started ' || tap.id('run', 'r'),
  'and that is on record') from striatumd.events where event_id = 2;
select is(striatumd.is_attested(jsonb_populate_record(tap.call(), jsonb_build_object('observed',
    tap.attested('s', '{"agent_pid": 12, "agent_start_token": "boot:5"}'))), tap.id('sess', 's')),
  true, 'its session is attested from here on');

-- does: an attempt that failed
select is(pg_temp.record('failing', '{"is_done": false, "problem": "no terminal"}')
  #>> '{data,state}', 'failed', 'what failed is tried again');
select is(pg_temp.stands('failing'), 'starting active', 'and changes nothing');
select is(pg_temp.record('hopeless', jsonb_build_object('is_done', false, 'is_hopeless', true,
  'problem', E'no program\nagent is found')) #>> '{data,state}', 'abandoned', 'what has no hope');
select is(pg_temp.stands('hopeless'), 'lost no program agent is found revoked active',
  'ends the supervisor and its token, for a reason; the session may start another');
create function pg_temp.ended() returns text language sql as $$
  select string_agg(args ->> 'supervisor_id', ' ') from striatumd.effects
   where kind = 'agent_stopped'
$$;
select is(pg_temp.ended(), tap.id('sup', 'hopeless'), 'and whatever a try has left');
select is(event_type::text, 'supervisor.lost', 'on record, too')
  from striatumd.events where event_id = 3;
select is(count(pg_temp.record('failing', '{"is_done": false, "problem": "no"}', n)), 7::bigint,
  'a budget that is spent') from generate_series(2, 8) as n;
select is(pg_temp.stands('failing'), 'lost no revoked active', 'is the end, as well');
delete from striatumd.effects where kind = 'agent_stopped';

-- at the boundary: it was stopped before its agent ran
select striatumd.append_events(jsonb_build_array(striatumd.run_event(tap.call(),
  'supervisor.stopped', 'x', jsonb_build_array(striatumd.end_supervisor(tap.call(),
    tap.id('sup', 'stopped'), 'stopped', 'asked for')))));
select is(tap.after(format('select pg_temp.record(''stopped'', %L)',
    '{"is_done": false, "problem": "x"}'),
  $$ select concat_ws(' ', pg_temp.stands('stopped'), count(*)) from striatumd.effects
      where kind = 'agent_stopped' $$), 'stopped asked for revoked active 0',
  'one that never ran needs no end');
select is(jsonb_array_length(pg_temp.record('stopped', outcome) -> 'effects'), 1,
  'an agent that was started all the same') from started;
select is(kind || ' ' || (args ->> 'supervisor_id'), 'agent_stopped ' || tap.id('sup', 'stopped'),
  'is ended') from striatumd.effects where kind <> 'agent_running';
select is(pg_temp.ended(), tap.id('sup', 'stopped'), 'by its own effect');
select is(pg_temp.stands('stopped'), 'stopped asked for revoked active',
  'and its supervisor stays as it ended');
select throws_ok($$ select striatumd.effect_agent_running_recorded(tap.call(), jsonb_build_object(
  'state', 'done', 'args', jsonb_build_object('supervisor_id', tap.id('sup', 'neighbour')),
  'seen', '{"agent_pid": 1}'::jsonb)) $$, '23514', null,
  'without all of its process none is attached');
select is((striatumd.effect_agent_running_recorded(tap.call(), jsonb_build_object('state', state,
    'args', '{"supervisor_id": "sup_0000000000000000"}'::jsonb, 'seen', '{}'::jsonb))).effects,
  '[]', 'of one that there is not, nothing: ' || state)
  from unnest('{done,abandoned}'::text[]) as state;
select is((striatumd.effect_agent_running_recorded(tap.call(), jsonb_build_object('state', state,
    'args', jsonb_build_object('supervisor_id', tap.id('sup', 's')), 'seen', '{}'::jsonb))).events,
  '[]', 'nor of one that is attached: ' || state) from unnest('{done,abandoned}'::text[]) as state;

-- around
select is(pg_temp.stands('neighbour'), 'starting active', 'a neighbour did not move');
select is(striatumd.run_fold_difference(tap.id('run', 'r')), null, 'the events tell all of it');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.effect_agent_running_recorded(null, '{}') $$, '28000',
  'daemon_authority_missing', 'nobody records without the daemon''s secret');

select * from finish();
rollback;
