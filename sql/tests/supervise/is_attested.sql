-- What proves that a session's agent is the one that was started.
-- STR-BYLINE-02: attached, alive, under its start token, with its command.
-- STR-BYLINE-03: one that is only starting does not attest.
begin;
select plan(12);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('s', 'author');
select tap.session('other', 'author');
create function pg_temp.is_attested(p_more jsonb default '{}', p_session text default 's')
  returns boolean language plpgsql as $$
declare
  v_call striatumd.call_context;
begin
  v_call.observed := tap.attested('s', p_more);
  return striatumd.is_attested(v_call, tap.id('sess', p_session));
end
$$;
create function pg_temp.after(p_change text) returns text language sql as $$
  select tap.after('update striatumd.process_supervisors set ' || p_change,
    'select pg_temp.is_attested()')
$$;

-- does
select is(pg_temp.is_attested(), true, 'all of the proof');
select is(pg_temp.is_attested(p_session => 'other'), false, 'it is one session''s alone');

-- at the boundary
select is(pg_temp.is_attested(more), false, concat('seen: ', more)) from unnest(array[
  '{"state": "gone"}', '{"state": "unknown"}', '{"state": null}', '{"agent_pid": 4712}',
  '{"agent_start_token": "boot:2"}', '{"agent_pid": null}']::jsonb[]) as more;
select is(pg_temp.after('state = ''starting'''), 'false', 'only starting');
select is(pg_temp.after('state = ''detached'''), 'false', 'detached');
select is(pg_temp.after('observed_command = ''["/usr/bin/agent", "another"]'''), 'false',
  'another command than the workflow''s');
select is(pg_temp.after('observed_command = ''["/opt/bin/agent", "author"]'''), 'true',
  'its program, by whatever path');

select * from finish();
rollback;
