-- The review gates of a run, each with what clears it or what is missing.
begin;
select plan(5);

-- given
select tap.open_door();
select tap.run_stage();
create function pg_temp.gates() returns jsonb language sql as $$
  select jsonb_path_query_array(striatumd.review_gates(tap.id('run', 'r')), '$[*]')
$$;
create function pg_temp.verdict(p_number int, p_attestation text, p_basis text) returns void
  language sql as $$
  insert into striatumd.verdicts (verdict_id, verdict_number, repository_id, run_id, job_id,
    attempt, session_id, lease_id, verdict, posture, basis, lane_attestation_at_record,
    recorded_by, recorded_at)
    overriding system value
  values (tap.id('verd', p_number::text), p_number, tap.id('repo', 'app'), tap.id('run', 'r'),
    tap.id('job', 'r.review'), 1, case p_basis when 'review' then tap.id('sess', 'x') end,
    case p_basis when 'review' then tap.id('lease', 'x') end, 'accept', 'neutral', p_basis,
    p_attestation::striatumd.lane_attestation, 'x', '2026-01-01Z')
$$;

select is(pg_temp.gates(), jsonb_build_array(jsonb_build_object('workflow_job_id', 'review',
  'job_id', tap.id('job', 'r.review'), 'verdict_id', null, 'cleared_by', null,
  'problem', 'verdict_missing')), 'a review without a verdict is not cleared');
select pg_temp.verdict(1, 'attested', 'review');
select is(pg_temp.gates() #- '{0,job_id}', jsonb_build_array(jsonb_build_object(
  'workflow_job_id', 'review', 'verdict_id', tap.id('verd', '1'), 'cleared_by', 'verdict',
  'problem', null)), 'an attested one clears it');
select pg_temp.verdict(2, null, 'review');
select is(pg_temp.gates() #>> '{0,problem}', 'lane_unattested', 'a newer one counts alone');
select pg_temp.verdict(3, null, 'checkpoint_override');
select is(pg_temp.gates() #>> '{0,cleared_by}', 'override', 'also an operator''s');
update striatumd.jobs set state = 'canceled' where job_id = tap.id('job', 'r.review');
select is(pg_temp.gates(), '[]', 'a job that was canceled is no gate');

select * from finish();
rollback;
