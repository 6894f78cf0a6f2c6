-- What to look at, to know whether the agent of the call's session lives.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('s', 'author'), tap.session('ended', 'author', p_supervisor => 'stopped');
create function pg_temp.look(p_named text, p_own text default null) returns jsonb
  language plpgsql as $$
declare
  v_call striatumd.call_context := tap.call();
begin
  v_call.session_id := tap.id('sess', p_own);
  return striatumd.observe_lane_attestation(v_call, jsonb_strip_nulls(jsonb_build_object(
    'session_id', tap.id('sess', p_named))));
end
$$;
create temp table look as select tap.attested('s') -> 'lane_attestation' #- '{state}' as at_s;

-- does
select is(pg_temp.look('s'), at_s, 'the process of the session that is named') from look;
select is(pg_temp.look(null, 's'), at_s, 'else of the token''s own') from look;
select is(tap.after('update striatumd.process_supervisors set state = ''starting'',
    agent_pid = null, agent_start_token = null where session_id = tap.id(''sess'', ''s'')',
  'select pg_temp.look(''s'')')::jsonb, at_s || '{"agent_pid": null, "agent_start_token": null}',
  'no process yet') from look;

-- at the boundary
select is(pg_temp.look(session), '{}', says) from (values ('ended', 'an agent that has ended'),
  (null, 'no session')) as n (session, says);
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.observe_lane_attestation(null, '{}') $$, '28000',
  'daemon_authority_missing', 'nobody is told without the daemon''s secret');

select * from finish();
rollback;
