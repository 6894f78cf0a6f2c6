-- What a run has come to, in one document.
begin;
select plan(4);

-- given
select tap.open_door();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('a', 'author');
select tap.session('n', 'author', 's');
select tap.leased('a', 'r.draft');
create temp table record as
  select striatumd.completion_record(r, '[{"x": 1}]') as record from striatumd.runs r
   where run_id = tap.id('run', 'r');

select is(record -> 'gates', '[{"x": 1}]', 'the gates stand in it') from record;
select is(record #> '{jobs,0}', jsonb_build_object('job_id', tap.id('job', 'r.draft'),
  'workflow_job_id', 'draft', 'state', 'running', 'attempt', 1), 'each job') from record;
select is(record -> 'sessions', jsonb_build_array(jsonb_build_object('session_id',
  tap.id('sess', 'a'), 'role_id', 'author', 'lane_id', 'author', 'state', 'active',
  'close_reason', null, 'lane_attestation', 'attested')),
  'each session of this run alone') from record;
select is(record #> '{leases,0}', jsonb_build_object('lease_id', tap.id('lease', 'ar.draft'),
  'job_id', tap.id('job', 'r.draft'), 'attempt', 1, 'session_id', tap.id('sess', 'a'),
  'state', 'active', 'release_reason', null), 'and each lease') from record;

select * from finish();
rollback;
