-- The end of a run: what is frozen, who is let go.
-- STR-RUN-16: the completion record is written once, by the transition that ends the run.
-- STR-RUN-17: with the state of each job, verdict, session, supervisor and lease.
-- STR-RUN-18: its hash stands in the event.
-- STR-SESSION-13: who is let go is closed with the run, by what ended it.
-- STR-SESSION-14: not who works. STR-SESSION-15: and a run closes for one of three reasons.
begin;
select plan(23);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('a', 'author');
select tap.session('b', 'author');
select tap.session('n', 'author', 's');
select tap.leased('b', 'r.draft');
create function pg_temp.call() returns striatumd.call_context language sql as $$
  select jsonb_populate_record(null::striatumd.call_context, jsonb_build_object('client_id',
    tap.client_id('ada'), 'repository_id', tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'),
    'at', '2026-02-01Z'))
$$;

-- does
create temp table failed as
  select striatumd.end_run(pg_temp.call(), 'failed', 'job_failed', null) as events;
select rows_are(
  $$ select state::text, stop_reason::text, completion_mode::text, finished_at
       from striatumd.runs where run_id = tap.id('run', 'r') $$,
  $$ values ('failed', 'job_failed', null::text, timestamptz '2026-02-01Z') $$,
  'the run has ended, and says why');
create temp table record as
  select completion_record_json::jsonb as record, completion_record_json as text,
         completion_record_sha256 as sha256
    from striatumd.runs where run_id = tap.id('run', 'r');
select is(sha256, encode(sha256(convert_to(text, 'UTF8')), 'hex')::striatumd.sha256_hex,
  'its record has its hash') from record;
select is(events #>> '{0,payload,completion_record_sha256}', sha256::text,
  'which stands in the event') from failed, record;
select is(record - '{jobs,verdicts,sessions,supervisors,leases,gates,recovery}'::text[],
  jsonb_build_object('schema_version', 'striatum.completion_record.v1', 'run_id',
    tap.id('run', 'r'), 'state', 'failed', 'stop_reason', 'job_failed', 'completion_mode', null,
    'finished_at', '2026-02-01T00:00:00.000000Z'), 'the record says how the run ended')
  from record;
select is(jsonb_path_query_array(record, '$.jobs[*].state'), '["running", "pending", "pending"]',
  'how each job stood') from record;
select is(jsonb_path_query_array(record, '$.sessions[*].state'), '["active", "active"]',
  'each session before it was closed') from record;
select is(jsonb_path_query_array(record, '$.supervisors[*].state'), '["attached", "attached"]',
  'each supervisor') from record;
select is(jsonb_path_query_array(record, '$.leases[*].state'), '["active"]', 'and each lease')
  from record;
select is(record -> 'recovery', '{"requeues": 0, "leases_expired": 0, "sessions_lost": 0,
  "sessions_expired": 0}', 'and what was recovered') from record;
select rows_are(
  $$ select state::text, close_reason::text from striatumd.sessions
      where session_id in (tap.id('sess', 'a'), tap.id('sess', 'b'), tap.id('sess', 'n'))
      order by session_id = tap.id('sess', 'a') desc, session_id = tap.id('sess', 'b') desc $$,
  $$ values ('closed', 'run_failed'), ('active', null), ('active', null) $$,
  'who holds no lease is let go; who works, and who works elsewhere, is not');
select is(jsonb_path_query_array(events, '$[*].event_type'), '["run.failed", "session.closed"]',
  'in events of their own') from failed;
select is((events #> '{1,payload}') - 'changes', jsonb_build_object('source', 'run_failed',
  'session_id', tap.id('sess', 'a'), 'reason', 'job_failed', 'by', tap.client_id('ada')),
  'which say by what') from failed;
select tap.refused($$ update striatumd.runs set completion_record_json = '{}'
  where run_id = tap.id('run', 'r') $$, 'runs_completion_is_written_once');
select throws_ok($$ select striatumd.end_run(pg_temp.call(), 'failed', 'job_failed', null) $$,
  'P0002', null, 'a run ends once');

-- canceled
create function pg_temp.there() returns striatumd.call_context language sql as $$
  select jsonb_populate_record(pg_temp.call(), jsonb_build_object('run_id', tap.id('run', 's')))
$$;
select tap.leased('n', 's.draft');
create temp table canceled as select striatumd.end_run(pg_temp.there(), 'canceled',
  'canceled_by_operator', null, 'wrong branch') as events;
select rows_are(
  $$ select j.state::text, m.state::text, l.state::text, l.release_reason from striatumd.jobs j
       left join striatumd.queue_messages m using (job_id)
       left join striatumd.leases l using (job_id)
      where j.run_id = tap.id('run', 's') order by ordinal $$,
  $$ values ('canceled', 'canceled', 'released', 'run_canceled'), ('canceled', null, null, null),
            ('canceled', null, null, null) $$, 'canceling ends all open work');
select is(state::text, 'closed', 'and so also who was at it') from striatumd.sessions
 where session_id = tap.id('sess', 'n');
select is(jsonb_path_query_array(completion_record_json::jsonb, '$.jobs[*].state'),
  '["canceled", "canceled", "canceled"]', 'the record has the jobs as canceled')
  from striatumd.runs where run_id = tap.id('run', 's');
select is(events #>> '{1,payload,source}', 'run_canceled', 'by the cancellation') from canceled;
select is(events #>> '{0,payload,reason}', 'wrong branch', 'and the event what was said')
  from canceled;
select is(jsonb_path_query_array(events, '$[0].payload.changes[*].of'),
  '["run", "lease", "message", "job", "job", "job"]', 'with every change') from canceled;

-- completed
select tap.run_stage('t'), tap.session('c', 'author', 't');
create temp table completed as select striatumd.end_run(jsonb_populate_record(pg_temp.call(),
    jsonb_build_object('run_id', tap.id('run', 't'))), 'completed', null, 'lanes_attested')
    as events;
select is(events #>> '{1,payload,source}', 'run_completed', 'a run that is completed says so too')
  from completed;
select rows_are($$ select close_reason::text, count(*) from striatumd.sessions
    where state = 'closed' group by close_reason order by 1 $$,
  $$ values ('run_canceled', 1::bigint), ('run_completed', 1), ('run_failed', 1) $$,
  'and each is closed for the reason of its run');
select enum_has_labels('striatumd', 'close_reason',
  '{explicit,run_completed,run_failed,run_canceled,recovery}', 'there is no reason but these');

select * from finish();
rollback;
