-- The work that waits for a session.
begin;
select plan(8);

-- given: two runs whose drafts wait, one that is not running, one whose draft is held
select tap.open_door();
select tap.authorize();
select tap.run_stage(run) from unnest('{r,s,ready,held}'::text[]) as run;
update striatumd.runs set state = 'ready' where run_id = tap.id('run', 'ready');
select tap.session('ann', 'author');
select tap.session('rev', 'reviewer');
select tap.session('hal', 'author', 'held');
select tap.leased('hal', 'held.draft');
create function pg_temp.shown(p_run text default null) returns jsonb language sql as $$
  select striatumd.claimable_jobs(tap.id('repo', 'app'), tap.id('run', p_run))
$$;

-- does
select is(jsonb_path_query_array(pg_temp.shown(), '$[*].run_id'),
  jsonb_build_array(tap.id('run', 'r'), tap.id('run', 's')),
  'of runs that are running, in the order of the queue');
select is(pg_temp.shown() -> 0, jsonb_build_object('run_id', tap.id('run', 'r'),
  'job_id', tap.id('job', 'r.draft'), 'job', 'draft', 'attempt', 1, 'role_id', 'author',
  'lane_id', 'author', 'is_fresh', false, 'active_sessions', 1, 'held_back', null,
  'queued_at', '2026-01-01T00:00:00.000000Z'), 'by role and lane, with who could take it');
select is(pg_temp.shown('s') #> '{0,active_sessions}', '0', 'and where nobody could');
select is(pg_temp.shown('held'), '[]', 'what is held waits no more');

-- at the boundary: any lane of the role
update striatumd.queue_messages set lane_id = null where run_id = tap.id('run', 'r');
select is(pg_temp.shown('r') #> '{0,active_sessions}', '1', 'a lane that is not named is any');

-- at the boundary: limits, as if what is before it were begun
select tap.queued('r.' || job) from unnest('{synthesis,review}'::text[]) as job;
create function pg_temp.held() returns text language sql as $$
  select string_agg(coalesce(j #>> '{held_back,reason}', '-'), ' ')
    from jsonb_array_elements(pg_temp.shown('r')) as j
$$;
update striatumd.queue_messages set lane_id = 'author' where run_id = tap.id('run', 'r');
select is(pg_temp.held(), '- lane_at_work lane_at_work', 'one lane does one thing at a time');
update striatumd.queue_messages set lane_id = job_id where run_id = tap.id('run', 'r');
alter table striatumd.workflow_snapshots disable trigger user;
update striatumd.workflow_snapshots
   set workflow = jsonb_set(workflow, '{parallelism,max_active_jobs}', '2');
select is(pg_temp.held(), '- - active_jobs_at_limit', 'of three, two');
select is(pg_temp.shown('r') #> '{2,held_back}', '{"reason": "active_jobs_at_limit", "message":
  "2 of at most 2 jobs of the run are active (parallelism.max_active_jobs)"}', 'and why');

select * from finish();
rollback;
