-- What became of a review, as replies show it. With a verdict: see submit.
begin;
select plan(3);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();

-- does
select is(striatumd.verdict_given(tap.id('job', 'r.review')) - '{job_id,run_id,cycle}'::text[],
  jsonb_build_object('workflow_job_id', 'review', 'job_state', 'pending', 'attempt', 1,
    'run_state', 'running', 'verdict_id', null, 'verdict', null, 'posture', null,
    'lane_attestation', null, 'blocker', null, 'downstream', jsonb_build_array(
      jsonb_build_object('job_id', tap.id('job', 'r.synthesis'), 'workflow_job_id', 'synthesis',
        'state', 'pending', 'attempt', 1))), 'one that nobody judged');
select is(striatumd.verdict_given(tap.id('job', 'r.synthesis')) -> 'downstream', '[]',
  'nothing comes after the last one');
select is(striatumd.verdict_given(null), null, 'of no job there is nothing');

select * from finish();
rollback;
