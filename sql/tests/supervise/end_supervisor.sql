-- The end of a supervisor.
begin;
select plan(14);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session(name, 'author') from unnest('{s,lost,neighbour}'::text[]) as name;
select tap.session('early', 'author', p_supervisor => 'starting');
select tap.told();
create function pg_temp.end(p_session text, p_state text, p_reason text, p_code int default null,
    p_signal int default null)
  returns jsonb language sql as $$
  select striatumd.end_supervisor(tap.call(), tap.id('sup', p_session),
    p_state::striatumd.supervisor_state, p_reason, p_code, p_signal)
$$;
create function pg_temp.stands(p_session text) returns text language sql as $$
  select concat_ws(' ', u.state, to_char(u.ended_at at time zone 'UTC', 'YYYY-MM-DD'), u.exit_code,
           u.exit_signal, u.end_reason, case when c.revoked_at is not null then 'revoked' end,
           (select count(*) from striatumd.client_capabilities g
             where g.client_id = u.client_id and g.revoked_at is null), s.state)
    from striatumd.process_supervisors u join striatumd.sessions s using (session_id)
    join striatumd.clients c on c.client_id = u.client_id
   where u.supervisor_id = tap.id('sup', p_session)
$$;

-- does
select is(pg_temp.end('s', 'stopped', 'agent exited', 3), jsonb_build_object('of', 'supervisor',
  'id', tap.id('sup', 's'), 'from', '{"state": "attached", "ended_at": null, "exit_code": null,
    "end_reason": null}'::jsonb, 'to', '{"state": "stopped", "exit_code": 3,
    "ended_at": "2026-01-02T00:00:00.000000Z", "end_reason": "agent exited"}'::jsonb),
  'the answer is the change');
select is(pg_temp.stands('s'), 'stopped 2026-01-02 3 agent exited revoked 0 active',
  'the row ended, and its token and what that was granted; the session is another step''s');
select is(pg_temp.end('lost', 'lost', 'process gone', null, 9) #>> '{to,exit_signal}', '9',
  'with the signal that ended it');
select is(pg_temp.stands('lost'), 'lost 2026-01-02 9 process gone revoked 0 active',
  'one that vanished');
select is(pg_temp.end('early', 'lost', E'no\nprogram\t' || repeat('x', 300)) #>> '{from,state}',
  'starting', 'one that was only starting');
select is(end_reason::text, 'no program ' || repeat('x', 189),
  'what the system said is made a line')
  from striatumd.process_supervisors where supervisor_id = tap.id('sup', 'early');
select is(tap.after(format('select pg_temp.end(''neighbour'', ''stopped'', %L)', reason),
    'select pg_temp.stands(''neighbour'')'), 'stopped 2026-01-02' || said || ' revoked 0 active',
  says) from (values ('', '', 'a reason that is empty'), (null, '', 'none'),
    (E'\n\n', '  ', 'nothing but ends of lines')) as empty (reason, said, says);
select is(pg_temp.stands('neighbour'), 'attached 4 active', 'a neighbour did not move');

-- refuses
select throws_ok(format($$ select pg_temp.end(%L, 'lost', 'again') $$, name), 'P0002', null,
  'nothing ends twice: ' || name) from unnest('{s,lost}'::text[]) as name;
select is(pg_temp.stands('s'), 'stopped 2026-01-02 3 agent exited revoked 0 active',
  'it stays as it ended');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.end_supervisor(null, null, null, null) $$, '28000',
  'daemon_authority_missing', 'nobody ends one without the daemon''s secret');

select * from finish();
rollback;
