-- The effect that ends a supervisor's processes, as a decision orders it.
begin;
select plan(4);

select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('s', 'author'), tap.session('other', 'author');

select is(striatumd.agent_stopped_effect(tap.id('sup', 's')), jsonb_build_object(
  'kind', 'agent_stopped', 'args', jsonb_build_object('supervisor_id', tap.id('sup', 's'),
    'run_id', tap.id('run', 'r'), 'agent_pid', 4711, 'agent_start_token', 'boot:1',
    'helper_pid', 4710, 'helper_start_token', 'boot:0')), 'both processes, by their start tokens');
update striatumd.process_supervisors set state = 'starting', agent_pid = null,
    agent_start_token = null, helper_pid = null, helper_start_token = null
 where supervisor_id = tap.id('sup', 's');
select is(striatumd.agent_stopped_effect(tap.id('sup', 's')) #> '{args,agent_pid}', 'null',
  'one that was not seen yet is not named');
select is(striatumd.agent_stopped_effect('sup_0000000000000000'), null, 'of none, nothing');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.agent_stopped_effect('x') $$, '28000',
  'daemon_authority_missing', 'nobody is told without the daemon''s secret');

select * from finish();
rollback;
