-- The outcome of ending an agent's processes.
begin;
select plan(3);

select tap.open_door();
select tap.authorize();
select is((striatumd.effect_agent_stopped_recorded(null, jsonb_build_object('state',
  state))).events, '[]', 'the row ended before: ' || state)
  from unnest('{done,abandoned}'::text[]) as state;
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.effect_agent_stopped_recorded(null, '{}') $$, '28000',
  'daemon_authority_missing', 'nobody records without the daemon''s secret');

select * from finish();
rollback;
