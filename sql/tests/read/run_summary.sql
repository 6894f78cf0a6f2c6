-- run.summary: a run as it stands or as it ended.
-- STR-SUMMARY-03: once the run has ended, what its sessions proved and the completion record come
-- from what was frozen, whatever the rows say later.
begin;
select plan(19);

-- given: a run with an artifact, a verdict, an override, two sessions, a blocker; and a neighbour
select tap.open_door();
select tap.authorize();
select set_config('striatum.test_now', '2026-01-02T00:00:00Z', true);
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author');
select tap.session('rev', 'reviewer');
select tap.published('ann', 'r.draft');
select tap.judged('rev', 'r.review', 'needs_revision');
insert into striatumd.verdicts (verdict_id, repository_id, run_id, job_id, attempt, verdict,
  posture, basis, recorded_by, recorded_at)
select tap.id('verd', 'op'), repository_id, run_id, job_id, 1, 'accept', 'override',
  'checkpoint_override', 'ada', '2026-01-02Z' from striatumd.jobs
 where job_id = tap.id('job', 'r.review');
select striatumd.open_blocker(tap.call(), tap.id('job', 'r.draft'), 'blocked', 'scope.drift',
  'Another file', '{}');
create function pg_temp.ask(p_run text default 'r', p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'run.summary', jsonb_build_object('run_id', tap.id('run', p_run))
    || case p_client when 'ada' then jsonb_build_object('repository_id', tap.id('repo', 'app'))
       else '{}' end)
$$;
create temp table live as select pg_temp.ask() -> 'data' as data;

-- does
select is(data #>> '{run,state}', 'running', 'the run') from live;
select is(data #> '{run,duration_ms}', '86400000', 'and how long it has lasted') from live;
select is(data #> '{jobs,0}', jsonb_build_object('job', 'draft', 'workflow_job_id', 'draft',
  'job_id', tap.id('job', 'r.draft'), 'job_type', 'draft', 'role_id', 'author',
  'lane_id', 'author', 'state', 'queued', 'attempt', 1, 'requeues', 0), 'its jobs') from live;
select is(data -> 'jobs_by_state', '{"queued": 1, "pending": 2}', 'and how many are how') from live;
select is(jsonb_path_query_array(data, '$.artifacts[*].author'), '["author: <missing>"]',
  'what was published, and by whom') from live;
select is(jsonb_path_query_array(data, '$.verdicts[*].lane_attestation_at_record'),
  '["attested", null]', 'verdicts with what was frozen in them') from live;
select is(jsonb_path_query_array(data, '$.overrides[*].verdict_id'),
  jsonb_build_array(tap.id('verd', 'op')), 'and those of an operator apart') from live;
select is(jsonb_path_query_array(data, '$.sessions[*].session'),
  '["author-author-1", "reviewer-reviewer-1"]', 'its sessions') from live;
select is(jsonb_path_query_array(data, '$.blockers[*].kind'), '["scope.drift"]', 'what blocks')
  from live;
select is(data -> 'state_projection', striatumd.state_projection(tap.id('run', 'r')),
  'the states in short') from live;
select is(data -> 'completion_record', 'null', 'no record before the end') from live;
select is(data -> 'next', jsonb_build_array('striatum run events ' || tap.id('run', 'r'),
  'striatum status --run-id ' || tap.id('run', 'r')), 'and where to read on') from live;

-- does: a run that ended
select tap.ended('r', 'failed', jsonb_build_object('sessions', jsonb_build_array(
  jsonb_build_object('session_id', tap.id('sess', 'ann'), 'lane_attestation', 'attested'))));
update striatumd.process_supervisors set state = 'lost', ended_at = '2026-01-03Z';
create temp table past as select pg_temp.ask() -> 'data' as data;
select is(data #>> '{run,stop_reason}', 'job_failed', 'why it ended') from past;
select is(data #>> '{sessions,0,lane_attestation}', 'attested', 'what a session had proved then')
  from past;
select is(data -> 'completion_record', (select completion_record_json::jsonb from striatumd.runs
  where run_id = tap.id('run', 'r')), 'the record as it was frozen') from past;
select is(data ->> 'completion_record_sha256', repeat('e', 64), 'with its hash') from past;

-- does: a session sees its own run
select is(tap.code(pg_temp.ask('r', 'ann')), 'ok', 'a lane reads its run');

-- refuses
select is(tap.code(pg_temp.ask('s', 'ann')), 'run_not_found', 'and no other');
select is(tap.code(pg_temp.ask('x')), 'run_not_found', 'a run that there is not');

select * from finish();
rollback;
