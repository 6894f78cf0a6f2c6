-- list.jobs: the jobs of a run.
begin;
select plan(7);

-- given: a draft that is held, and what waits for it
select tap.open_door();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author');
select tap.leased('ann', 'r.draft');
create function pg_temp.ask(p_run text default 'r', p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'list.jobs', jsonb_build_object('run_id', tap.id('run', p_run),
    'repository_id', tap.id('repo', 'app')))
$$;
create temp table shown as select pg_temp.ask() #> '{data,jobs}' as jobs;

-- does
select is(jsonb_path_query_array(jobs, '$[*].workflow_job_id'), '["draft", "review", "synthesis"]',
  'in the order of the workflow') from shown;
select is(jobs -> 0, jsonb_build_object('job_id', tap.id('job', 'r.draft'),
  'workflow_job_id', 'draft', 'job_type', 'draft', 'title', 'Title of draft', 'role_id', 'author',
  'lane_id', 'author', 'state', 'running', 'attempt', 1, 'requeues', 0,
  'session', 'author-author-1', 'session_id', tap.id('sess', 'ann'), 'lease_id', l.lease_id,
  'expires_at', striatumd.utc_micros(l.expires_at), 'waits_for', '[]'::jsonb),
  'one that is held, by whom and how long') from shown, striatumd.leases l;
select is(jsonb_path_query_array(jobs, '$[*].waits_for'), '[[], ["draft"], ["review"]]',
  'and what each waits for') from shown;
select is(jsonb_path_query_array(pg_temp.ask('s') -> 'data', '$.jobs[*].session'),
  '[null, null, null]', 'nobody holds a job of the other run');

-- does: a session sees its own run
select is(tap.code(pg_temp.ask('r', 'ann')), 'ok', 'a lane reads its run');

-- refuses
select is(tap.code(pg_temp.ask('s', 'ann')), 'run_not_found', 'and no other');
select is(tap.code(pg_temp.ask('x')), 'run_not_found', 'a run that there is not');

select * from finish();
rollback;
