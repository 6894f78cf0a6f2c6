-- supervise.stop: the end of a session's agent, asked for.
-- STR-SUPERVISE-23: the row becomes stopped with supervisor.stopped.
-- STR-SUPERVISE-24: of one that was lost or stopped the row is answered, with a note.
begin;
select plan(25);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session(name, 'author') from unnest('{ann,neighbour}'::text[]) as name;
select tap.session('rob', 'reviewer'), tap.session('lost', 'author', p_supervisor => 'lost'),
       tap.session('bare', 'author', p_supervisor => null),
       tap.session('early', 'author', p_supervisor => 'starting'), tap.session('closed', 'author');
select tap.queued('r.review');
select tap.leased('ann', 'r.draft'), tap.leased('rob', 'r.review');
update striatumd.sessions set state = 'closed', close_reason = 'explicit', closed_at = '2026-01-02Z'
 where session_id = tap.id('sess', 'closed');
select tap.told();
select set_config('striatum.test_now', '2026-01-02T00:00:00Z', true);
create function pg_temp.stop(p_name text, p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'supervise.stop', jsonb_build_object('repository_id',
    tap.id('repo', 'app'), 'session_id', tap.id('sess', p_name), 'reason', 'wrong model'))
$$;
create function pg_temp.stands(p_name text) returns text language sql as $$
  select concat_ws(' ', u.state, u.end_reason, s.state, s.close_note,
           case when c.revoked_at is not null then 'revoked' end)
    from striatumd.process_supervisors u join striatumd.sessions s using (session_id)
    join striatumd.clients c on c.client_id = u.client_id
   where u.supervisor_id = tap.id('sup', p_name)
$$;
create temp table first as select pg_temp.stop('rob') as reply;

-- does
select is(reply -> 'data', jsonb_build_object('supervisor_id', tap.id('sup', 'rob'), 'session_id',
  tap.id('sess', 'rob'), 'state', 'stopped', 'was_active', true), 'a stop is answered') from first;
select is(pg_temp.stands('rob'), 'stopped wrong model stopped wrong model revoked',
  'the agent, its session and its token have ended');
select tap.rows_are($$ select event_type, payload_json::jsonb ->> 'reason',
    payload_json::jsonb ->> 'source' from striatumd.events where event_id > 1 order by event_id $$,
  $$ values ('supervisor.stopped', 'wrong model', 'explicit'),
    ('lease.expired', 'owner_gone', null) $$, 'each is on record');
select is(concat_ws(' ', j.state, j.attempt, l.state), 'queued 1 expired', 'its review goes back')
  from striatumd.jobs j join striatumd.leases l using (job_id)
 where job_id = tap.id('job', 'r.review');
select is(jsonb_build_object('kind', kind, 'args', args), striatumd.agent_stopped_effect(
  tap.id('sup', 'rob')), 'its processes are ended') from striatumd.effects;
select is(reply -> 'wakes', jsonb_build_array('events:' || tap.id('run', 'r'),
  'run:' || tap.id('run', 'r')), 'and whoever waits for work is told') from first;
select is(tap.code(tap.ask('rob', 'run.events', jsonb_build_object('run_id', tap.id('run', 'r')))),
  'token_revoked', 'its token opens nothing any more');

-- does: again
select is(pg_temp.stop('rob') -> 'data', jsonb_build_object('supervisor_id', tap.id('sup', 'rob'),
  'session_id', tap.id('sess', 'rob'), 'state', 'stopped', 'was_active', false,
  'ended_at', '2026-01-02T00:00:00.000000Z', 'end_reason', 'wrong model',
  'note', 'it had ended before'), 'what has ended is answered as it is');
select is(pg_temp.stop('lost') #>> '{data,state}', 'lost', 'also where it was lost');
select is(pg_temp.stands('lost'), 'lost active', 'and stays so');
select is((select count(*) from striatumd.events where event_id > 1)
  + (select count(*) from striatumd.effects), 3::bigint, 'nothing more was done');

-- does: work that may have changed the repository
select is(tap.code(pg_temp.stop('ann')), 'ok', 'an author is stopped');
select is(concat_ws(' ', j.state, b.kind, m.state), 'stale_lease lease_owner_gone blocked',
  'its draft waits for a person') from striatumd.jobs j join striatumd.blockers b using (job_id)
  join striatumd.queue_messages m using (job_id) where job_id = tap.id('job', 'r.draft');
select is((select count(*) from striatumd.verdicts) + (select count(*) from striatumd.jobs
  where state = 'completed'), 0::bigint, 'no verdict and no completion is made up');

-- at the boundary
select is(tap.code(pg_temp.stop('early')), 'ok', 'one that is only starting');
select is(pg_temp.stands('early'), 'stopped wrong model stopped wrong model revoked',
  'ends as well');
select is(tap.code(pg_temp.stop('closed')), 'ok', 'one whose session was closed');
select is(pg_temp.stands('closed'), 'stopped wrong model closed revoked', 'leaves that as it is');
insert into striatumd.process_supervisors (supervisor_id, repository_id, run_id, session_id, state,
  command, client_id, started_at)
select tap.id('sup', 'second'), repository_id, run_id, session_id, 'starting', command, client_id,
       started_at from striatumd.process_supervisors where supervisor_id = tap.id('sup', 'lost');
select is(tap.after($$ select pg_temp.stop('lost') $$, $$ select pg_temp.stands('second') $$),
  'stopped wrong model stopped wrong model revoked', 'the one that is active goes first');
delete from striatumd.process_supervisors where supervisor_id = tap.id('sup', 'second');

-- refuses
select is(tap.code(pg_temp.stop(name)), code, name || ': ' || code) from (values
  ('bare', 'supervisor_not_found'), ('nobody', 'session_not_found')) as bad (name, code);
select is(tap.code(pg_temp.stop('neighbour', 'neighbour')), 'capability_denied',
  'a session''s token stops nobody');

-- around
select is(pg_temp.stands('neighbour'), 'attached active', 'a neighbour did not move');
select is(striatumd.run_fold_difference(tap.id('run', 'r')), null, 'the events tell all of it');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.supervise_stop(null, '{}') $$, '28000',
  'daemon_authority_missing', 'nobody stops without the daemon''s secret');

select * from finish();
rollback;
