-- Whether a session's agent may work.
-- STR-SESSION-03: an active session alone does not: its agent has to be attached and attested.
-- STR-SESSION-04: without a supervisor it is expired.
-- STR-SESSION-05: with its process gone, or another one in its place, both are lost.
-- STR-SESSION-06: whatever else is not attested is refused and changes nothing.
begin;
select plan(29);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session(name, 'author') from unnest('{s,gone,differs,neighbour}'::text[]) as name;
select tap.session('bare', 'author', p_supervisor => null);
select tap.session('ended', 'author', p_supervisor => 'lost');
select tap.session('early', 'author', p_supervisor => 'starting');
select tap.session('detached', 'author', p_supervisor => 'detached');
select tap.leased('gone', 'r.draft');
select tap.told();
create function pg_temp.gate(p_session text, p_more jsonb default '{}') returns text
  language plpgsql as $$
declare
  v_call     striatumd.call_context := tap.call();
  v_decision striatumd.decision;
  v_detail   text;
begin
  v_call.observed := tap.attested(p_session, p_more);
  v_decision := striatumd.lane_gate(v_call, tap.id('sess', p_session));
  if v_decision is not distinct from null then
    return 'may';
  end if;
  perform striatumd.append_events(v_decision.events) where v_decision.events <> '[]';
  perform set_config('tap.effects', v_decision.effects::text, true);
  return concat_ws(' ', v_decision.unsettled, v_decision.refusal ->> 'code');
exception when sqlstate 'ST001' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return 'raised ' || (v_detail::jsonb ->> 'code');
end
$$;
create function pg_temp.stands(p_session text) returns text language sql as $$
  select concat_ws(' ', s.state, u.state, c.revoked_at is not null)
    from striatumd.sessions s
    join striatumd.clients c on c.client_id = tap.client_id(p_session)
    left join striatumd.process_supervisors u using (session_id)
   where session_id = tap.id('sess', p_session)
$$;

-- does
select is(pg_temp.gate('s'), 'may', 'attached, alive, under its start token, with its command');

-- does: try again
select is(pg_temp.gate('early'), 'wait session_backend_not_ready',
  'an agent that is being started');
select is(pg_temp.gate('s', more), 'look observation_stale',
  'seen was another: ' || more::text)
  from unnest(array['{"agent_pid": 1}', '{"agent_start_token": "boot:2"}',
    '{"supervisor_id": null}', '{"agent_pid": null}']::jsonb[]) as more;
select is(pg_temp.gate('s', '{"agent_pid": 1, "state": "gone"}'), 'look observation_stale',
  'that another process is gone decides nothing');

-- refuses
select is(pg_temp.gate('s', '{"state": "unknown"}'), 'raised session_backend_unattested',
  'nobody can tell whether it lives');
select is(pg_temp.gate('s', '{"state": null}'), 'raised session_backend_unattested',
  'nobody said whether it lives');
select is(pg_temp.gate('detached'), 'raised session_backend_unattested', 'detached');
select is(tap.after('update striatumd.process_supervisors
    set observed_command = ''["/usr/bin/other", "author"]''', 'select pg_temp.gate(''s'')'),
  'raised session_backend_unattested', 'another program than the workflow''s');
select is(pg_temp.stands(name), was, name || ' stays as it was')
  from (values ('s', 'active attached f'), ('early', 'active starting f'),
    ('detached', 'active detached f')) as same (name, was);

-- does: what stays done although it is refused
select is(pg_temp.gate('bare'), 'session_backend_missing', 'no agent at all');
select is(pg_temp.stands('bare'), 'expired f', 'expires the session');
select is(pg_temp.gate('ended'), 'session_backend_missing', 'and so does one that has ended');
select is(pg_temp.stands('ended'), 'expired lost f', 'which stays as it ended');
select is(current_setting('tap.effects'), '[]', 'and has nothing left to end');
select is(pg_temp.gate('gone', '{"state": "gone"}'), 'session_backend_gone',
  'a process that is gone');
select is(pg_temp.stands('gone'), 'lost lost t', 'ends both, and the agent''s token');
select is(current_setting('tap.effects')::jsonb #>> '{0,args,supervisor_id}',
  tap.id('sup', 'gone'), 'and what it left running');
select is(pg_temp.gate('differs', '{"state": "differs"}'), 'session_backend_gone',
  'another process under its number');
select is(pg_temp.stands('differs'), 'lost lost t', 'is as good as gone');
select is(state::text, 'active', 'what it held waits for recovery') from striatumd.leases;
select tap.rows_are($$ select event_type, payload_json::jsonb ->> 'reason' from striatumd.events
  where event_id > 1 order by event_id $$, $$ values ('session.expired', 'no supervisor'),
  ('session.expired', 'no supervisor'), ('session.lost', 'the agent''s process is gone'),
  ('session.lost', 'the agent''s process is gone') $$, 'each is on record');

-- around
select is(pg_temp.stands('neighbour'), 'active attached f', 'a neighbour did not move');
select is(striatumd.run_fold_difference(tap.id('run', 'r')), null, 'the events tell all of it');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.lane_gate(null, null) $$, '28000', 'daemon_authority_missing',
  'nobody is let through without the daemon''s secret');

select * from finish();
rollback;
