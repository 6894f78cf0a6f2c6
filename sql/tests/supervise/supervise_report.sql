-- supervise.report: what a helper says of its agent.
-- STR-SUPERVISE-37: an agent that exited ends its supervisor as stopped.
-- STR-SUPERVISE-36: that it did something is no event, and says that it was heard of.
-- STR-SESSION-07: its session is stopped with it; where the process vanished, both are lost.
begin;
select plan(39);

-- given: an author with a draft, a reviewer with a review
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session(name, 'author')
  from unnest('{ann,idle,closed,orphaned,neighbour}'::text[]) as name;
select tap.session('rob', 'reviewer'), tap.session('early', 'author', p_supervisor => 'starting');
select tap.queued('r.review');
select tap.leased('ann', 'r.draft'), tap.leased('rob', 'r.review');
update striatumd.sessions set state = 'closed', close_reason = 'explicit', closed_at = '2026-01-02Z'
 where session_id = tap.id('sess', 'closed');
select tap.told();
select set_config('striatum.test_now', '2026-01-02T00:00:00Z', true);
create function pg_temp.report(p_name text, p_event text, p_number int, p_more jsonb default '{}')
  returns text language sql as $$
  select coalesce(reply #>> '{data,is_new}', tap.code(reply)) from tap.ask(null,
    'supervise.report', jsonb_strip_nulls(jsonb_build_object('supervisor_id', tap.id('sup', p_name),
      'event', p_event, 'number', p_number)) || p_more, '{}', '{"transport": "internal"}') as reply
$$;
create function pg_temp.stands(p_name text) returns text language sql as $$
  select concat_ws(' ', u.state, s.state, s.close_note, u.exit_code, u.exit_signal, u.helper_event)
    from striatumd.process_supervisors u join striatumd.sessions s using (session_id)
   where u.supervisor_id = tap.id('sup', p_name)
$$;
create function pg_temp.work(p_job text) returns text language sql as $$
  select concat_ws(' ', j.state, j.attempt, j.requeues, (select string_agg(m.state::text, ',')
           from striatumd.queue_messages m where m.job_id = j.job_id), (select string_agg(concat_ws(
           ':', l.state, l.release_reason), ',') from striatumd.leases l where l.job_id = j.job_id),
           (select string_agg(b.kind, ',') from striatumd.blockers b where b.job_id = j.job_id))
    from striatumd.jobs j where j.job_id = tap.id('job', 'r.' || p_job)
$$;
create function pg_temp.told() returns text language sql as $$
  select string_agg(event_type, ' ' order by event_id) from striatumd.events where event_id > 1
$$;

-- does: what it did
select is(pg_temp.report('idle', 'agent_started', 1), 'true', 'an agent started');
select is(pg_temp.report('idle', 'progress', 3), 'true', 'and did something');
select is(pg_temp.stands('idle'), 'attached active 3', 'which moves nothing but the number');
select is(last_seen_at, timestamptz '2026-01-02Z', 'and says that it was heard of')
  from striatumd.session_liveness where session_id = tap.id('sess', 'idle');
select is(pg_temp.told(), null, 'no event tells of that');
select is(pg_temp.report('idle', event, number), 'false', format('%s %s is not new', event, number))
  from (values ('progress', 3), ('agent_exited', 3), ('agent_exited', 1)) as old (event, number);
select is(pg_temp.stands('idle'), 'attached active 3', 'and changes nothing');

create function pg_temp.ended() returns bigint language sql as $$
  select count(*) from striatumd.effects where kind = 'agent_stopped'
$$;
select is(pg_temp.ended(), 0::bigint, 'who lives is not ended');

-- does: an agent exits
select is(pg_temp.report('idle', 'agent_exited', 4, '{"exit_code": 0}'), 'true', 'it exited');
select is(pg_temp.stands('idle'), 'stopped stopped agent exited 0 4', 'both are stopped');
select is(pg_temp.told(), 'supervisor.agent_exited', 'by one event, as it held nothing');
select is(args ->> 'supervisor_id', tap.id('sup', 'idle'), 'what it left is ended')
  from striatumd.effects where kind = 'agent_stopped';
select is(pg_temp.report('idle', 'agent_exited', 5, '{"exit_code": 1}'), 'true', 'nothing more');
select is(pg_temp.stands('idle'), 'stopped stopped agent exited 0 5', 'ends it twice');
select is(pg_temp.ended(), 1::bigint, 'nor what it left');
select is(pg_temp.report('rob', 'agent_exited', 1, '{"exit_signal": 9}'), 'true',
  'a reviewer is killed');
select is(pg_temp.stands('rob'), 'stopped stopped agent exited 9 1', 'by a signal');
select is(pg_temp.work('review'), 'queued 1 1 pending expired:owner_gone',
  'its review goes back, at the same attempt');
select is(pg_temp.told(), 'supervisor.agent_exited supervisor.agent_exited lease.expired',
  'on record in this order');

-- does: an agent is gone
select is(pg_temp.report('ann', 'gone', null), 'true', 'an author vanished');
select is(pg_temp.stands('ann'), 'lost lost process gone 0', 'both are lost');
select is(pg_temp.work('draft'),
  'stale_lease 1 0 blocked expired:owner_gone lease_owner_gone',
  'its draft may have changed the repository, and waits for a person');
select is(pg_temp.report('ann', 'gone', null), 'true', 'said again');
select is(pg_temp.told(), 'supervisor.agent_exited supervisor.agent_exited lease.expired '
  'supervisor.lost job.blocked', 'it changes nothing');
select is(pg_temp.report('orphaned', 'helper_gone', null), 'true', 'an agent whose helper is gone');
select is(pg_temp.stands('orphaned'), 'lost lost helper gone 0', 'is lost, too');
select is(args ->> 'agent_pid', '4711', 'and ended, by its number and its start')
  from striatumd.effects where args ->> 'supervisor_id' = tap.id('sup', 'orphaned');
select is((select count(*) from striatumd.verdicts) + (select count(*) from striatumd.artifacts)
  + (select count(*) from striatumd.jobs where state = 'completed'), 0::bigint,
  'no verdict and no completion is made up');

-- at the boundary
select is(pg_temp.report('early', 'agent_exited', 1, '{"exit_code": 127}'), 'true',
  'one that exits before its start is recorded');
select is(pg_temp.stands('early'), 'stopped stopped agent exited 127 1', 'has ended all the same');
select is(pg_temp.report('closed', 'agent_exited', 1), 'true', 'one whose session was closed');
select is(pg_temp.stands('closed'), 'stopped closed 1', 'leaves that as it is');
select is(revoked_at is not null, true, 'its token is no more')
  from striatumd.clients where client_id = tap.client_id('rob');

-- around
select is(pg_temp.stands('neighbour'), 'attached active 0', 'a neighbour did not move');
select is(striatumd.run_fold_difference(tap.id('run', 'r')), null, 'the events tell all of it');
select is(tap.code(tap.ask('ada', 'supervise.report', '{}')), 'method_unknown',
  'it is the daemon''s alone');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.supervise_report(null, '{}') $$, '28000',
  'daemon_authority_missing', 'and not without its secret');

select * from finish();
rollback;
