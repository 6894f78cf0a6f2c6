-- The verdicts of a run.
begin;
select plan(4);

-- given: two of a review, one of an operator
select tap.open_door();
select tap.run_stage();
select tap.session('rev', 'reviewer');
select tap.judged('rev', 'r.review', 'needs_revision');
select tap.judged('rev', 'r.review', 'accept', 2);
insert into striatumd.verdicts (verdict_id, repository_id, run_id, job_id, attempt, verdict,
  posture, basis, recorded_by, recorded_at)
select tap.id('verd', 'op'), repository_id, run_id, job_id, 2, 'accept', 'override',
  'checkpoint_override', 'ada', '2026-01-02Z' from striatumd.jobs
 where job_id = tap.id('job', 'r.review');
create temp table shown as select striatumd.run_verdicts(tap.id('run', 'r')) as list;

-- does
select is(jsonb_path_query_array(list, '$[*].verdict'), '["needs_revision", "accept", "accept"]',
  'in the order in which they were recorded') from shown;
select is(list -> 0, jsonb_build_object('verdict_id', tap.id('verd', 'r.review1'),
  'job_id', tap.id('job', 'r.review'), 'job', 'review', 'attempt', 1, 'verdict', 'needs_revision',
  'posture', 'neutral', 'basis', 'review', 'lane_attestation_at_record', 'attested',
  'model_identity_declared', 'm-reviewer', 'session', 'reviewer-reviewer-1',
  'session_id', tap.id('sess', 'rev'), 'artifact_id', null, 'recorded_by', tap.client_id('rev'),
  'recorded_at', '2026-01-02T00:00:00.000000Z'), 'with what was frozen in it') from shown;
select is(list #> '{2,session}', 'null', 'an operator''s has no session') from shown;
select is(striatumd.run_verdicts('run_0000000000000000'), '[]', 'of nothing nothing');

select * from finish();
rollback;
