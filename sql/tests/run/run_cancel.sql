-- run.cancel: what ends, whatever state it was in.
begin;
select plan(12);

-- given
select tap.open_door();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('a', 'author');
select tap.leased('a', 'r.draft');
create function pg_temp.cancel(p_run text, p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'run.cancel', jsonb_build_object('repository_id', tap.id('repo', 'app'),
    'run_id', tap.id('run', p_run), 'reason', 'wrong branch'))
$$;

-- does
create temp table canceled as select pg_temp.cancel('r') as reply;
select is(reply -> 'data', jsonb_build_object('run_id', tap.id('run', 'r'), 'state', 'canceled',
  'was', 'running', 'sessions_closed', 1), 'a running run is canceled') from canceled;
select is(stop_reason::text, 'canceled_by_operator', 'by an operator') from striatumd.runs
 where run_id = tap.id('run', 'r');
select is((select count(*) from striatumd.jobs
            where run_id = tap.id('run', 'r') and state <> 'canceled'), 0::bigint,
  'with all of its jobs');
select is((select count(*) from striatumd.leases where state = 'active'), 0::bigint,
  'and the lease of who worked');
select rows_are($$ select event_type, payload_json::jsonb ->> 'reason' from striatumd.events
  order by event_id $$, $$ values ('run.canceled', 'wrong branch'),
  ('session.closed', 'wrong branch'), ('supervisor.stopped', 'wrong branch') $$,
  'the events say why');
select is(jsonb_agg(kind::text), '["agent_stopped"]', 'its agent is ended') from striatumd.effects;
select is((select state::text from striatumd.runs where run_id = tap.id('run', 's')), 'running',
  'a neighbour runs on');
update striatumd.runs set state = 'needs_branch_confirmation', started_at = null
 where run_id = tap.id('run', 's');
select is(pg_temp.cancel('s') #>> '{data,was}', 'needs_branch_confirmation',
  'one that never started can be canceled too');

-- refuses
select is(tap.code(pg_temp.cancel('r')), 'run_ended', 'what has ended');
select is(tap.code(pg_temp.cancel('none')), 'run_not_found', 'what there is not');
select tap.client('bob', '{read}');
select is(tap.code(pg_temp.cancel('r', 'bob')), 'capability_missing', 'who only reads');
select is((select count(*) from striatumd.events), 4::bigint, 'none of that is an event');

select * from finish();
rollback;
