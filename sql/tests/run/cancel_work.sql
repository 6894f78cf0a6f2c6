-- What ends with a run that is canceled.
-- B038: its blockers, with the real cause; a checkpoint of a run that goes on stays open.
begin;
select plan(7);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('a', 'author');
select tap.leased('a', 'r.draft');
create function pg_temp.call() returns striatumd.call_context language sql as $$
  select jsonb_populate_record(null::striatumd.call_context, jsonb_build_object('client_id',
    tap.client_id('ada'), 'repository_id', tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'),
    'at', '2026-02-01Z'))
$$;
select striatumd.open_blocker(pg_temp.call(), null, 'human_checkpoint', 'x', 'x', '{}');
select striatumd.open_blocker(tap.call('s'), null, 'human_checkpoint', 'x', 'x', '{}');

-- does
create temp table canceled as select striatumd.cancel_work(pg_temp.call()) as changes;
select is(jsonb_path_query_array(changes, '$[*].of'),
  '["lease", "message", "job", "blocker", "job", "job"]', 'every change is told') from canceled;
select is(changes #> '{4}', jsonb_build_object('of', 'job', 'id', tap.id('job', 'r.review'),
  'from', '{"state": "pending"}'::jsonb, 'to', '{"state": "canceled"}'::jsonb),
  'from what to what') from canceled;
select rows_are(
  $$ select state::text from striatumd.jobs where run_id = tap.id('run', 'r') order by ordinal $$,
  '{canceled,canceled,canceled}'::text[], 'no job is open');
select rows_are($$ select run_id = tap.id('run', 'r'), state::text, resolution::text
    from striatumd.blockers order by 1 $$, $$ values (false, 'open', null),
  (true, 'resolved', 'run_canceled') $$, 'nor a blocker, but for another run''s');
select is((select outcome::text from striatumd.job_attempts), 'canceled', 'nor an attempt');
select rows_are(
  $$ select state::text from striatumd.jobs where run_id = tap.id('run', 's') order by ordinal $$,
  '{queued,pending,pending}'::text[], 'those of another run are');
select is(striatumd.cancel_work(pg_temp.call()), '[]', 'what has ended does not change again');

select * from finish();
rollback;
