-- The one claim: which work a session gets, and what that leaves behind.
-- STR-QUEUE-02: of its run and role, of its lane or any, and only a fresh one where that is wanted.
-- B021: no more at once than the workflow allows.
-- STR-QUEUE-04, STR-QUEUE-05: one open packet a message, one lease a session.
begin;
select plan(25);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage(), tap.run_stage('s');
select tap.session('one', 'author'), tap.session('two', 'author'),
       tap.session('critic', 'reviewer');
create function pg_temp.claim(p_session text, p_job text default 'r.draft', p_attempt int default 1)
  returns jsonb language sql as $$
  select tap.ask(p_session, 'work.claim_next', '{"lease_seconds": 60}',
    tap.claiming(p_session, p_job, p_attempt), '{"is_final": true}')
$$;

-- does
select is(pg_temp.claim('critic') #>> '{data,reason}', 'queue_empty', 'not another role''s');
create temp table reply as select pg_temp.claim('one') as is;
select is("is" #>> '{data,job_id}', tap.id('job', 'r.draft'), 'its own, and of its own run')
  from reply;
select rows_are('select * from tap.events()', array['job.claimed: message pending -> claimed, '
  'job queued -> claimed, lease -> active'], 'with one event');
select is(payload_json::jsonb ->> 'packet_sha256', "is" #>> '{data,packet_sha256}',
  'that names the packet by its hash') from striatumd.events, reply;
select rows_are('select job_id, attempt, write_scope ->> ''mode'', baseline, begun_at
  from striatumd.job_attempts', $$ select tap.id('job', 'r.draft'), 1, 'repo_write',
  '{"status": "captured", "changed_paths": []}'::jsonb, '2026-11-30T10:00:00Z'::timestamptz $$,
  'what it may write, and what was changed there, is taken down');
select rows_are('select state, claim_count from striatumd.queue_messages order by message_number',
  $$ values ('claimed', 1), ('pending', 0) $$, 'its message is claimed, its neighbour''s is not');
select is(pg_temp.claim('one') -> 'data', ("is" -> 'data') || '{"status": "held"}',
  'who holds work gets the same packet again') from reply;
select is((select count(*) from striatumd.work_packets), 1::bigint, 'and no other');
select is(pg_temp.claim('two') #>> '{data,reason}', 'queue_empty', 'nobody else gets it');

-- after it was handed back
select tap.ask('one', 'work.release', jsonb_build_object('lease_id', "is" #> '{data,lease_id}',
  'reason', 'x')) from reply;
update striatumd.jobs set spec = jsonb_set(spec, '{write_scope,mode}', '"other"');
select is(tap.ask('two', 'work.claim_next', '{}', tap.attested('two'))
  #>> '{data,packet,write_scope,mode}', 'repo_write', 'the same attempt keeps its scope');
select is((select claim_count from striatumd.queue_messages order by message_number limit 1), 2,
  'it is counted');

-- a fresh session
update striatumd.leases set state = 'released', ended_at = now(), release_reason = 'x';
update striatumd.queue_messages set state = 'done' where run_id = tap.id('run', 'r');
select tap.queued('r.review');
update striatumd.queue_messages set role_id = 'author', lane_id = null
 where job_id = tap.id('job', 'r.review');
select is(pg_temp.claim('two', 'r.review') -> 'data', jsonb_build_object('type', 'none', 'status',
  'no_work', 'reason', 'fresh_session_required', 'ineligible_reason', 'fresh_session_required',
  'workflow_job_id', 'review', 'run_id', tap.id('run', 'r'), 'session_id', tap.id('sess', 'two'),
  'session_state', 'active', 'idle_behavior', 'exit_session', 'next',
  array[format('striatum session register %s author author', tap.id('run', 'r'))]),
  'one that held a packet is not fresh');
select tap.session('three', 'author');
select is(pg_temp.claim('three', 'r.draft') #>> '{error,code}', 'observation_stale',
  'where the scope of another job was looked at, that settles nothing');
select is(pg_temp.claim('three', 'r.review', 2) #>> '{error,code}', 'observation_stale',
  'nor of another attempt');
select is(pg_temp.claim('three', 'r.review') #>> '{data,status}', 'claimed', 'a fresh one gets it');

-- the run
update striatumd.runs set state = 'needs_operator', stop_reason = 'provenance_gate_failed';
select is(pg_temp.claim('two') -> 'data' ->> 'ineligible_reason', 'run_needs_operator',
  'in a run that does not run there is no work');
select is(pg_temp.claim('two') #>> '{data,next,0}', 'striatum why ' || tap.id('run', 'r'),
  'and where to ask why');
select is((select count(*) from striatumd.session_liveness), 4::bigint,
  'each that asked was heard of');

-- no more at once than the workflow allows
update striatumd.runs set state = 'running', stop_reason = null;
select tap.session('four', 'author', 's'), tap.session('five', 'author', 's');
select tap.queued('s.synthesis');
alter table striatumd.workflow_snapshots disable trigger user;
update striatumd.workflow_snapshots
   set workflow = jsonb_set(workflow, '{parallelism}', '{"max_active_jobs": 1}')
 where run_id = tap.id('run', 's');
select is(pg_temp.claim('four', 's.draft') #>> '{data,status}', 'claimed', 'the first one');
select is(pg_temp.claim('five', 's.synthesis') -> 'data', jsonb_build_object('type', 'none',
  'status', 'no_work', 'reason', 'active_jobs_at_limit', 'ineligible_reason',
  'active_jobs_at_limit', 'message',
  '1 of at most 1 jobs of the run are active (parallelism.max_active_jobs)', 'job_id',
  tap.id('job', 's.draft'), 'workflow_job_id', 'synthesis', 'run_id', tap.id('run', 's'),
  'session_id', tap.id('sess', 'five'), 'session_state', 'active', 'next',
  array['striatum await-packet', 'striatum why ' || tap.id('job', 's.synthesis')]),
  'the second one is told the limit, and to ask again');
select is(pg_temp.claim('four', 's.draft') #>> '{data,status}', 'held', 'who is at work is not');
select tap.ask('four', 'work.release', jsonb_build_object('lease_id', lease_id, 'reason', 'x'))
  from striatumd.leases where session_id = tap.id('sess', 'four');
update striatumd.queue_messages set state = 'canceled' where job_id = tap.id('job', 's.draft');
select is(pg_temp.claim('five', 's.synthesis') #>> '{data,status}', 'claimed',
  'and gets it once the first one has ended');
select is(striatumd.claimable(tap.id('sess', 'four')), null, 'nothing more is next')
  from tap.authorize();
select is(striatumd.observe_scope_baseline(tap.call('s'), jsonb_build_object('session_id',
  tap.id('sess', 'four'))), '{}', 'and nothing is looked at for it');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.claim_work(null, null, null)', '28000',
  'daemon_authority_missing', 'not without the daemon''s secret');

select * from finish();
rollback;
