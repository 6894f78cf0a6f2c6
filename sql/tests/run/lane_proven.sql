-- What the lane of a session had proved when it last acted.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.run_stage();
select tap.session('idle', 'author'), tap.session('a', 'author'), tap.session('other', 'author');
select tap.leased('a', 'r.draft');
create function pg_temp.proven(p_session text) returns text language sql as $$
  select striatumd.lane_proven(tap.id('sess', p_session))::text
$$;

-- does
select is(pg_temp.proven('a'), 'attested', 'who claimed was the lane''s own process');
select is(pg_temp.proven('idle'), null, 'nothing was asked of who never claimed');
select is(pg_temp.proven('none'), null, 'nor of nobody');
select is(tap.after($$ update striatumd.process_supervisors
    set state = 'stopped', ended_at = '2026-01-03Z' $$, $$ select pg_temp.proven('a') $$),
  'attested', 'that it has left since changes nothing');
select is(tap.after($$ update striatumd.process_supervisors
    set observed_command = '["/usr/bin/agent", "other"]' $$, $$ select pg_temp.proven('a') $$),
  'unattested', 'another command was not its own');
select is(tap.after($$ update striatumd.process_supervisors
    set agent_pid = null, agent_start_token = null, helper_pid = null, helper_start_token = null,
        state = 'starting' $$, $$ select pg_temp.proven('a') $$), 'unattested',
  'nor was one that never ran');

select * from finish();
rollback;
