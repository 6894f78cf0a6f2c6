-- The newest verdict of each job, where it does not accept.
begin;
select plan(5);

-- given
select tap.open_door();
select tap.run_stage();
select tap.session('rev', 'reviewer');
create function pg_temp.shown() returns jsonb language sql as $$
  select striatumd.open_verdicts(tap.id('repo', 'app'), null)
$$;
select is(pg_temp.shown(), '[]', 'no verdict');
select tap.judged('rev', 'r.review', 'needs_revision');
select is(pg_temp.shown(), jsonb_build_array(jsonb_build_object(
  'verdict_id', tap.id('verd', 'r.review1'), 'run_id', tap.id('run', 'r'),
  'job_id', tap.id('job', 'r.review'), 'job', 'review', 'attempt', 1, 'verdict', 'needs_revision',
  'posture', 'neutral', 'upstream_revised_after_verdict', false,
  'recorded_at', '2026-01-02T00:00:00.000000Z')), 'one that wants more');
update striatumd.jobs set attempt = 2 where job_id = tap.id('job', 'r.review');
select is(pg_temp.shown() #> '{0,upstream_revised_after_verdict}', 'true',
  'which the work has been revised after');
select tap.judged('rev', 'r.review', 'accept', 2);
select is(pg_temp.shown(), '[]', 'and one that a later one superseded');
select tap.judged('rev', 'r.review', 'reject', 3);
select is(pg_temp.shown() #>> '{0,verdict}', 'reject', 'the newest counts');

select * from finish();
rollback;
