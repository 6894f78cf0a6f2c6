-- run.prepare: what a workflow becomes, and what becomes of nothing.
-- STR-RUN-01: no job can be claimed before the branch is settled.
-- STR-WORKFLOW-05: the snapshot is the file as it was read, and stays.
-- STR-BRANCH-04: in confirm mode the run waits for branch confirm.
begin;
select plan(46);

-- given
select tap.open_door();
select tap.repository('app');
select tap.client('bob', '{read}');
create function pg_temp.workflow(p_more jsonb default '{}') returns jsonb language sql as $$
  select jsonb_build_object('schema_version', 'striatum.workflow.v1', 'workflow_id', 'wf',
    'workflow_version', '1', 'name', 'a workflow',
    'branch', '{"mode": "auto", "suggested_name": "striatum/wf"}'::jsonb, 'jobs',
    jsonb_build_array(tap.job('draft', 'draft', 'author', 'handoff'),
      tap.job('review', 'review', 'reviewer', 'finding'),
      tap.job('synthesis', 'synthesis', 'author', 'synthesis') - 'lane_id'),
    'edges', '[{"from": "draft", "to": "review", "on": "completed"},
               {"from": "review", "to": "synthesis", "on": "completed"}]'::jsonb,
    'cycles', '[{"from": "review", "to": "draft", "on_verdict": "needs_revision",
                 "max_iterations": 2}]'::jsonb) || p_more
$$;
create function pg_temp.prepare(p_file jsonb default '{}', p_head jsonb default '{}',
    p_params jsonb default '{}', p_client text default 'ada')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'run.prepare', jsonb_build_object('repository_id',
    tap.id('repo', 'app'), 'workflow_path', '/srv/app/flow/wf.json') || p_params,
    jsonb_build_object('workflow_file', jsonb_build_object('state', 'present',
      'path', 'flow/wf.json', 'sha256', repeat('b', 64), 'workflow', pg_temp.workflow(),
      'problems', '[]'::jsonb) || p_file,
      'git_head', jsonb_build_object('state', 'present', 'branch', 'main',
        'commit', repeat('a', 40), 'is_dirty', true) || p_head))
$$;

-- does
create temp table first as select pg_temp.prepare() as reply;
select is(tap.code(reply), 'ok', 'a good workflow is prepared') from first;
create temp table r as select reply #>> '{data,run_id}' as run_id from first;
select is(reply #- '{data,run_id}' #- '{data,next}' -> 'data', jsonb_build_object(
  'workflow_id', 'wf', 'state', 'needs_branch_confirmation', 'branch_mode', 'auto',
  'branch', 'striatum/wf', 'base_commit', repeat('a', 40), 'current_git_branch', 'main',
  'source_sha256', repeat('b', 64), 'jobs', 3), 'and the reply says what it is') from first;
select rows_are(
  $$ select run_id, workflow_id, workflow_version, name, state::text, branch_mode::text,
            branch_name, base_commit, created_by, started_at from striatumd.runs $$,
  format($$ values (%L, 'wf', '1', 'a workflow', 'needs_branch_confirmation', 'auto',
    'striatum/wf', repeat('a', 40), %L, null::timestamptz) $$,
    (select run_id from r), tap.client_id('ada')), 'the run waits for its branch');
select rows_are(
  $$ select source_path, source_sha256, workflow = pg_temp.workflow()
       from striatumd.workflow_snapshots $$,
  $$ values ('flow/wf.json', repeat('b', 64), true) $$, 'with the file as it was read');
select throws_ok($$ update striatumd.workflow_snapshots set source_path = 'other' $$, null, null,
  'which nobody changes');
select rows_are(
  $$ select workflow_job_id, ordinal, job_type, title, role_id, lane_id, state::text, attempt,
            is_verdict, is_repo_write, is_fresh from striatumd.jobs order by ordinal $$,
  $$ values ('draft', 1, 'draft', 'Title of draft', 'author', 'author', 'pending', 1, false, true,
             false),
            ('review', 2, 'review', 'Title of review', 'reviewer', 'reviewer', 'pending', 1, true,
             false, true),
            ('synthesis', 3, 'synthesis', 'Title of synthesis', 'author', null, 'pending', 1,
             false, true, false) $$, 'its jobs are there, in their order');
select is((select count(*) from striatumd.queue_messages), 0::bigint, 'and none can be claimed');
select is(spec, pg_temp.workflow() #> '{jobs,0}', 'each as the workflow has it')
  from striatumd.jobs where ordinal = 1;
select rows_are(
  $$ select f.workflow_job_id, t.workflow_job_id from striatumd.job_edges
       join striatumd.jobs f on f.job_id = from_job_id join striatumd.jobs t on t.job_id = to_job_id
      order by f.ordinal $$,
  $$ values ('draft', 'review'), ('review', 'synthesis') $$, 'so are its edges');
select rows_are(
  $$ select f.workflow_job_id, t.workflow_job_id, max_iterations, iterations
       from striatumd.job_cycles
       join striatumd.jobs f on f.job_id = from_job_id
       join striatumd.jobs t on t.job_id = to_job_id $$,
  $$ values ('review', 'draft', 2, 0) $$, 'and its cycle');
select rows_are(
  $$ select event_id, event_type, run_id, payload_json::jsonb ->> 'source_sha256'
       from striatumd.events $$,
  format($$ values (1::bigint, 'run.prepared', %L, repeat('b', 64)) $$, (select run_id from r)),
  'one event tells all of it');
select rows_are(
  $$ select c ->> 'of', c -> 'from', coalesce(c #>> '{to,workflow_job_id}', c #>> '{to,state}',
            c #>> '{to,max_iterations}')
       from striatumd.events,
            jsonb_array_elements(payload_json::jsonb -> 'changes') with ordinality as e (c, n)
      order by n $$,
  $$ values ('run', 'null'::jsonb, 'needs_branch_confirmation'), ('job', 'null', 'draft'),
            ('job', 'null', 'review'), ('job', 'null', 'synthesis'), ('cycle', 'null', '2') $$,
  'the run, each job and the cycle');
select rows_are(
  $$ select kind, args, state::text from striatumd.effects $$,
  format($$ values ('branch_present', jsonb_build_object('root', '/srv/app', 'branch',
    'striatum/wf', 'commit', repeat('a', 40), 'run_id', %L), 'planned') $$,
    (select run_id from r)), 'the branch is ordered');

-- the branch
select is(pg_temp.prepare('{}', '{}', '{"branch_name": "feature/x"}') #>> '{data,branch}',
  'feature/x', 'a branch that is named goes before the suggested one');
create temp table confirm as select pg_temp.prepare(jsonb_build_object('workflow',
  pg_temp.workflow('{"branch": {"mode": "confirm"}, "workflow_id": "other"}'))) as reply;
select is(reply #>> '{data,branch}', 'striatum/other', 'without either its workflow names it')
  from confirm;
select is(reply -> 'effects', '[]', 'in mode confirm nothing is made') from confirm;
select is(reply #>> '{data,state}', 'needs_branch_confirmation', 'and the run waits') from confirm;
select is(reply #>> '{data,next,0}',
  format('striatum branch confirm %s', reply #>> '{data,run_id}'), 'for what the reply says')
  from confirm;
select is(pg_temp.prepare(jsonb_build_object('workflow', pg_temp.workflow('{"branch": {}}')))
  #>> '{data,branch_mode}', 'auto', 'auto is the mode of a workflow that names none');

-- at the boundary
create temp table many as select pg_temp.prepare(jsonb_build_object('workflow',
  pg_temp.workflow(jsonb_build_object('edges', '[]'::jsonb, 'cycles', '[]'::jsonb, 'jobs', (
    select jsonb_agg(tap.job('j' || n, 'draft', 'author', 'handoff')
                     || jsonb_build_object('title', repeat('t', 200)))
      from generate_series(1, 2000) as n))))) as reply;
select is(reply #>> '{data,jobs}', '2000', 'two thousand jobs are prepared') from many;
select cmp_ok((select count(*) from striatumd.events, many
                where run_id = reply #>> '{data,run_id}'), '>', 3::bigint, 'in several events');
select is((select sum(jsonb_array_length(payload_json::jsonb -> 'changes')) from striatumd.events,
             many where run_id = reply #>> '{data,run_id}'), 2001::bigint,
  'which together tell all of it');
select is((select count(*) from striatumd.events, many where run_id = reply #>> '{data,run_id}'
              and payload_json::jsonb ? 'source_path'), 1::bigint,
  'and the first of them the rest');
select is(tap.code(pg_temp.prepare('{}', '{"branch": null}')), 'ok',
  'no branch has to be checked out');

-- refuses
create temp table before as select count(*) as n from striatumd.runs;
select is(tap.code(pg_temp.prepare('{"state": "missing"}')), 'workflow_missing', 'no such file');
select is(tap.code(pg_temp.prepare('{"state": "escapes"}')), 'workflow_path_refused',
  'a file elsewhere');
select is(tap.code(pg_temp.prepare(jsonb_build_object('state', state))), 'workflow_unreadable',
  'a file that is ' || state)
  from unnest('{no_file,too_large,unknown}'::text[]) as state;
create temp table bad as select pg_temp.prepare('{"workflow": null, "problems": [
  {"code": "job_repeated", "pointer": "/jobs/1/id", "message": "stands twice", "hint": "x"},
  {"code": "key_missing", "pointer": "", "message": "lacks name", "hint": "y"}]}') as reply;
select is(tap.code(reply), 'workflow_invalid', 'a file that breaks rules') from bad;
select is(jsonb_array_length(reply #> '{error,details,problems}'), 2, 'with all that is wrong')
  from bad;
create temp table advised as select '{"advice": [{"code": "same_model_review_pair",
  "pointer": "/jobs/1/lane_id", "message": "judges its own", "hint": "x"}]}'::jsonb as file;
create temp table unaccepted as select pg_temp.prepare(file) as reply from advised;
select is(tap.code(reply), 'workflow_invalid', 'STR-LINT-11: advice that nobody accepted')
  from unaccepted;
select ok(reply #> '{error,next}' ? 'striatum run prepare flow/wf.json --allow-same-model-pairing',
  'which names the way to accept it') from unaccepted;
select is(tap.code(pg_temp.prepare(file || '{"problems": [{"code": "x", "pointer": "",
    "message": "m", "hint": "h"}]}', '{}', '{"allow_same_model_pairing": true}')),
  'workflow_invalid', 'what is wrong is refused all the same') from advised;
select is(tap.code(pg_temp.prepare('{"problems": null}')), 'workflow_unreadable',
  'one that was not checked');
select is(tap.code(pg_temp.prepare('{}', '{"state": "unborn"}')), 'git_head_missing',
  'a repository without a commit');
select is(tap.code(pg_temp.prepare('{}', '{"state": "unknown"}')), 'git_head_missing',
  'or whose head is not known');
create temp table clean as select jsonb_build_object('workflow', pg_temp.workflow(
  '{"branch": {"allow_dirty": false, "suggested_name": "b"}}')) as file;
select is(tap.code(pg_temp.prepare(file)), 'checkout_dirty', 'changes that the workflow forbids')
  from clean;
select is(pg_temp.prepare('{}', '{}', jsonb_build_object('branch_name', name))
    #> '{error,next}', jsonb_build_array('striatum run prepare flow/wf.json --branch-name '
    || cure), quote_literal(name) || ' is no branch, and what to do')
  from (values ('refs/heads/x', 'x'), ('refs/tags/x', 'NAME'), (repeat('ä', 101), 'NAME'))
    as names (name, cure);
select is(tap.code(pg_temp.prepare('{}', '{}', '{"branch_name": "a..b"}')), 'branch_name_invalid',
  'a name that git has not');
select is(tap.code(pg_temp.prepare('{}', '{}', '{}', 'bob')), 'capability_missing',
  'a client without write');
select is((select count(*) from striatumd.runs), n, 'and no run was recorded by that') from before;
select is(tap.code(pg_temp.prepare(file, '{"is_dirty": false}')), 'ok', 'without changes it may')
  from clean;
select is(tap.code(pg_temp.prepare(file, '{}', '{"allow_same_model_pairing": true}')), 'ok',
  'and with advice that somebody accepts') from advised;

select * from finish();
rollback;
