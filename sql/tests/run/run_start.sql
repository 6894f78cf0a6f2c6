-- run.start: who may begin, and what can be claimed then.
-- STR-RUN-01: a ready run starts, and its root jobs can be claimed.
-- B039: a file that means something else by now is said, one that only looks otherwise is not.
begin;
select plan(21);

-- given
select tap.open_door();
create function pg_temp.ready(p_name text, p_state striatumd.run_state default 'ready')
  returns void language plpgsql as $$
begin
  perform tap.run_stage(p_name);
  delete from striatumd.queue_messages where run_id = tap.id('run', p_name);
  update striatumd.jobs set state = 'pending' where run_id = tap.id('run', p_name);
  update striatumd.runs set state = p_state, started_at = null where run_id = tap.id('run', p_name);
end
$$;
create function pg_temp.start(p_name text, p_client text default 'ada', p_file jsonb default '{}')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'run.start', jsonb_build_object('repository_id', tap.id('repo', 'app'),
    'run_id', tap.id('run', p_name)), jsonb_build_object('workflow_file', p_file))
$$;
select pg_temp.ready('r');
select pg_temp.ready('s');
select pg_temp.ready('w', 'needs_branch_confirmation');

-- does
create temp table started as select pg_temp.start('r') as reply;
select is(tap.code(reply), 'ok', 'a ready run starts') from started;
select is(reply #- '{data,next}' -> 'data', jsonb_build_object('run_id', tap.id('run', 'r'),
  'state', 'running', 'queued', '["draft"]'::jsonb), 'with the jobs that wait for nothing')
  from started;
select is(state::text, 'running', 'it is running') from striatumd.runs
 where run_id = tap.id('run', 'r');
select rows_are(
  $$ select j.workflow_job_id, j.state::text, m.state::text from striatumd.jobs j
       left join striatumd.queue_messages m using (job_id)
      where j.run_id = tap.id('run', 'r') order by j.ordinal $$,
  $$ values ('draft', 'queued', 'pending'), ('review', 'pending', null),
            ('synthesis', 'pending', null) $$, 'its root job alone can be claimed');
select rows_are($$ select event_type from striatumd.events order by event_id $$,
  '{run.started,job.queued}'::text[], 'and events say so');
select is(payload_json::jsonb #> '{changes,0,from}', '{"state": "ready", "started_at": null}',
  'the first with the state it left') from striatumd.events where event_id = 1;
select is(state::text, 'ready', 'a neighbour did not move') from striatumd.runs
 where run_id = tap.id('run', 's');

-- refuses
select is(tap.code(pg_temp.start('r')), 'run_not_ready', 'what runs does not start again');
create temp table waiting as select pg_temp.start('w') as reply;
select is(tap.code(reply), 'run_not_ready', 'nor what has no branch') from waiting;
select is(reply #>> '{error,next,0}', format('striatum branch confirm %s', tap.id('run', 'w')),
  'which is said how to settle') from waiting;
create temp table second as select pg_temp.start('s') as reply;
select is(tap.code(reply), 'checkout_in_use', 'a second run would write to the same checkout')
  from second;
select is(reply #>> '{error,details,other_run_id}', tap.id('run', 'r'), 'as the first') from second;
select is(tap.code(pg_temp.start('none')), 'run_not_found', 'no such run');
select is((select count(*) from striatumd.events), 2::bigint, 'none of that is an event');

-- at the boundary
update striatumd.jobs set is_repo_write = false where run_id = tap.id('run', 's');
select is(tap.code(pg_temp.start('s')), 'ok', 'one that writes nothing may run beside it');
select pg_temp.ready('t');
update striatumd.runs set state = 'canceled', stop_reason = 'canceled_by_operator',
  completion_record_json = '{}', completion_record_sha256 = repeat('0', 64), finished_at = now()
 where run_id = tap.id('run', 'r');
select is(tap.code(pg_temp.start('t')), 'ok', 'so may a writer once the other has ended');
create function pg_temp.began(p_name text, p_more jsonb, p_state text default 'present')
  returns jsonb language plpgsql as $$
begin
  perform pg_temp.ready(p_name);
  update striatumd.jobs set is_repo_write = false where run_id = tap.id('run', p_name);
  return pg_temp.start(p_name, 'ada', jsonb_build_object('state', p_state, 'sha256',
    repeat('c', 64), 'workflow', (select workflow || p_more from striatumd.workflow_snapshots
      where run_id = tap.id('run', p_name)))) #> '{data,warnings}';
end
$$;
select is(pg_temp.began('same', '{}'), null, 'other octets that mean the same are nothing to say');
select is(pg_temp.began('gone', '{"name": "x"}', 'missing'), null, 'nor is a file that is gone');
create temp table changed as select pg_temp.began('changed', '{"name": "another"}') as said;
select is(said #- '{0,message}', jsonb_build_array(jsonb_build_object('code', 'workflow_changed',
  'source_sha256', repeat('b', 64), 'current_sha256', repeat('c', 64))),
  'another name is, with both hashes') from changed;
select is(said #>> '{0,message}', format('workflow.json has changed since the run was prepared '
  || '(%s then, %s now); the run goes by what it was then', repeat('b', 64), repeat('c', 64)),
  'in a sentence') from changed;
select tap.client('bob', '{read}');
select is(tap.code(pg_temp.start('t', 'bob')), 'capability_missing', 'not whoever only reads');

select * from finish();
rollback;
