-- The end of a run's agents.
begin;
select plan(9);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.run_stage('s');
select tap.session(name, 'author') from unnest('{a,b}'::text[]) as name;
select tap.session('early', 'author', p_supervisor => 'starting');
select tap.session('over', 'author', p_supervisor => 'lost');
select tap.session('neighbour', 'author', 's');
create function pg_temp.after(p_state text) returns jsonb language sql as $$
  select tap.after(format('select tap.ended(''r'', %L)', p_state),
    'select striatumd.stop_agents(tap.call(), ''wrong branch'')')::jsonb
$$;

-- does
select is(pg_temp.after('completed'), '{"events": [], "effects": []}',
  'nothing where the run completed');
select is(striatumd.stop_agents(tap.call(), 'wrong branch'), '{"events": [], "effects": []}',
  'nor while it runs');
select is(jsonb_array_length(pg_temp.after('failed') -> 'effects'), 3, 'where it failed, all end');
select tap.ended('r', 'canceled');
create temp table stopped as select striatumd.stop_agents(tap.call(), 'wrong branch') as answer;
select is(jsonb_path_query_array(answer, '$.effects[*].args.supervisor_id'), (
    select jsonb_agg(id order by id) from unnest(array[tap.id('sup', 'a'), tap.id('sup', 'b'),
      tap.id('sup', 'early')]) as id),
  'an effect for each that had not ended, also for who was only starting') from stopped;
select is(jsonb_path_query_array(answer, '$.events[*].event_type'),
  '["supervisor.stopped", "supervisor.stopped", "supervisor.stopped"]', 'and an event')
  from stopped;
select is((answer #> '{events,0,payload}') - '{changes,by}'::text[],
  '{"reason": "wrong branch", "source": "run_canceled"}', 'which says why') from stopped;
select rows_are($$ select supervisor_id::text, state::text from striatumd.process_supervisors
    order by 1 $$, format($$ values (%L, 'stopped'), (%L, 'stopped'), (%L, 'stopped'), (%L, 'lost'),
    (%L, 'attached') order by 1 $$, tap.id('sup', 'a'), tap.id('sup', 'b'), tap.id('sup', 'early'),
    tap.id('sup', 'over'), tap.id('sup', 'neighbour')),
  'what had ended stays, and a neighbour did not move');
select is(striatumd.stop_agents(tap.call(), 'again'), '{"events": [], "effects": []}',
  'nothing ends twice');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.stop_agents(null, null) $$, '28000',
  'daemon_authority_missing', 'nobody ends them without the daemon''s secret');

select * from finish();
rollback;
