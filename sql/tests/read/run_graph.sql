-- run.graph: the graph of a run and how far each job is.
begin;
select plan(8);

-- given: a run whose review sent its draft back once, in two phases; and a neighbour
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author');
update striatumd.job_cycles set iterations = 1 where run_id = tap.id('run', 'r');
update striatumd.jobs set attempt = 2, spec = spec || '{"phase_id": "one"}'
 where job_id = tap.id('job', 'r.draft');
set local session_replication_role = replica;      -- a snapshot never changes otherwise
update striatumd.workflow_snapshots
   set workflow = workflow || '{"phases": [{"id": "one", "synthesis_job_id": "review"},
     {"id": "two", "name": "Second", "synthesis_job_id": "synthesis"}]}'
 where run_id = tap.id('run', 'r');
set local session_replication_role = origin;
create function pg_temp.ask(p_run text default 'r', p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'run.graph', jsonb_build_object('run_id', tap.id('run', p_run))
    || case p_client when 'ada' then jsonb_build_object('repository_id', tap.id('repo', 'app'))
       else '{}' end)
$$;
create temp table graph as select pg_temp.ask() -> 'data' as data;

-- does
select is(data #>> '{run,state}', 'running', 'the run') from graph;
select is(data -> 'phases', '[{"id": "one", "name": null, "synthesis_job_id": "review"},
  {"id": "two", "name": "Second", "synthesis_job_id": "synthesis"}]', 'its phases') from graph;
select is(data #> '{jobs,0}', jsonb_build_object('job', 'draft', 'job_id',
  tap.id('job', 'r.draft'), 'job_type', 'draft', 'title', 'Title of draft', 'role_id', 'author',
  'lane_id', 'author', 'phase_id', 'one', 'is_verdict', false, 'is_repo_write', true,
  'state', 'queued', 'attempt', 2), 'its jobs in the order of the workflow') from graph;
select is(data -> 'edges', '[{"from": "draft", "to": "review"},
  {"from": "review", "to": "synthesis"}]', 'what waits for what, of this run alone') from graph;
select is(data -> 'cycles', '[{"from": "review", "to": "draft", "max_iterations": 1,
  "iterations": 1}]', 'and the ways back with how often each was taken') from graph;

-- does: a session sees its own run
select is(tap.code(pg_temp.ask('r', 'ann')), 'ok', 'a lane sees its run');

-- refuses
select is(tap.code(pg_temp.ask('s', 'ann')), 'run_not_found', 'and no other');
select is(tap.code(pg_temp.ask('x')), 'run_not_found', 'a run that there is not');

select * from finish();
rollback;
