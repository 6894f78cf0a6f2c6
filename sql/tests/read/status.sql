-- status: how the runs of a repository stand, and what to do next.
-- STR-INTROSPECT-01: counts of runs and jobs, open blockers, human checkpoints, the newest verdicts
-- that do not accept, claimable jobs by role and lane, blocked downstream jobs, and next actions.
-- STR-INTROSPECT-03: a lost supervisor whose session holds a lease is a next action.
begin;
select plan(24);

-- given: a run with a checkpoint, one whose agent is lost, one that ended; a neighbour's
select tap.open_door();
select tap.authorize();
select set_config('striatum.test_now', '2026-01-04T00:00:00Z', true);
select tap.run_stage(run) from unnest('{r,s,ended}'::text[]) as run;
select tap.run_stage('z', 'other');
select tap.session('rev', 'reviewer');
select tap.session('ann', 'author', 's');
select tap.leased('ann', 's.draft');
update striatumd.process_supervisors set state = 'lost', ended_at = '2026-01-02Z'
 where supervisor_id = tap.id('sup', 'ann');
select tap.judged('rev', 'r.review', 'needs_revision');
update striatumd.jobs set state = 'waiting_human' where job_id = tap.id('job', 'r.review');
select striatumd.open_blocker(tap.call(), tap.id('job', 'r.review'), 'human_checkpoint',
  'revision_routing', 'It wants more', '{}');
select tap.ended('ended', 'failed');
create function pg_temp.ask(p_params jsonb default '{}', p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'status', jsonb_build_object('repository_id', tap.id('repo', 'app'))
    || p_params)
$$;
create function pg_temp.run(p_run text) returns jsonb language sql as $$
  select jsonb_build_object('run_id', tap.id('run', p_run))
$$;
create temp table whole as select pg_temp.ask() -> 'data' as data;
create temp table one as select pg_temp.ask(pg_temp.run('s')) -> 'data' as data;

-- does: the whole repository
select is(jsonb_path_query_array(data, '$.runs[*].state'), '["running", "running", "failed"]',
  'runs under way, then those that ended') from whole;
select is(data -> 'runs_by_state', '{"running": 2, "failed": 1}', 'how many are how') from whole;
select is(data -> 'jobs', '{"queued": 1, "running": 1, "pending": 3, "waiting_human": 1}',
  'and of the jobs of those that have not ended') from whole;
select is(data -> 'state_projection', '{"run_state": null, "jobs": []}', 'no run, no projection')
  from whole;
select is(array(select s ->> 'session' from jsonb_array_elements(data -> 'sessions') s order by 1),
  '{author-author-1,reviewer-reviewer-1}', 'active sessions') from whole;
select is(jsonb_path_query_array(data, '$.claimable_jobs[*].job_id'),
  jsonb_build_array(tap.id('job', 'r.draft')), 'what can be claimed') from whole;
select is(jsonb_path_query_array(data, '$.blocked_downstream_jobs[*].job_id'),
  jsonb_build_array(tap.id('job', 'r.synthesis')), 'what waits for what is blocked') from whole;
select is(jsonb_path_query_array(data, '$.open_blockers[*].kind'), '["revision_routing"]',
  'what blocks') from whole;
select is(data -> 'human_checkpoints', data -> 'open_blockers', 'what a person has to decide')
  from whole;
select is(jsonb_array_length(data #> '{human_checkpoints,0,resolve_actions}'), 3,
  'with the choices') from whole;
select is(jsonb_path_query_array(data, '$.latest_non_accepting_review_verdicts[*].verdict_id'),
  jsonb_build_array(tap.id('verd', 'r.review1')), 'verdicts that want more') from whole;
select is(jsonb_path_query_array(data, '$.next_actions[*].action'), '["drive_run",
  "register_session", "recover_orphan_supervisor", "resolve_human_checkpoint"]',
  'what to do next') from whole;
select is(data -> 'next', jsonb_path_query_array(data, '$.next_actions[*].command'),
  'by its commands') from whole;
select is(jsonb_array_length(pg_temp.ask('{"run_limit": 0}') #> '{data,runs}'), 2,
  'so many of those that ended');

-- does: one run
select is(jsonb_path_query_array(data, '$.runs[*].run_id'), jsonb_build_array(tap.id('run', 's')),
  'that run alone') from one;
select is(data -> 'jobs', '{"running": 1, "pending": 2}', 'its jobs') from one;
select is(data -> 'runs_by_state', '{"running": 1}', 'its state') from one;
select is(data -> 'state_projection', striatumd.state_projection(tap.id('run', 's')),
  'by the names of its workflow') from one;
select is(jsonb_path_query_array(data, '$.next_actions[*].action'), '["recover_orphan_supervisor"]',
  'a lost agent that holds work') from one;

-- does: a session's token
select is(pg_temp.ask('{}', 'ann') #> '{data,runs}', pg_temp.ask(pg_temp.run('s'))
  #> '{data,runs}', 'a lane that names no run sees its own');
select is(tap.code(pg_temp.ask(pg_temp.run('r'), 'ann')), 'run_not_found', 'and no other');

-- at the boundary: a repository without runs
select is(tap.ask('ada', 'status', jsonb_build_object('repository_id', tap.repository('new')))
  #> '{data,next}', '["striatum run prepare WORKFLOW"]', 'begins with one');

-- refuses
select is(tap.code(pg_temp.ask(pg_temp.run('x'))), 'run_not_found', 'a run that there is not');
select is(tap.code(pg_temp.ask(pg_temp.run('z'))), 'run_not_found', 'one of another repository');

select * from finish();
rollback;
