-- The domains and tables of bundle V0009__runs: each state that may not be is refused by name.
begin;
select plan(186);

-- given
create function pg_temp.id(p_prefix text, p_n int default 0) returns text language sql as $$
  select p_prefix || '_0123456789abcde' || p_n
$$;
select tap.repository('app');

-- the domains
create temp table tried (domain text, refused_by text, bad text[], good text[]);
insert into tried values
  ('run_id', 'run_id_is_prefixed', '{"",run_,job_0123456789abcdef,run_0123456789abcdeF}',
    '{run_0123456789abcdef}'),
  ('job_id', 'job_id_is_prefixed', '{"",job_,run_0123456789abcdef,job_0123456789abcdef0}',
    '{job_0123456789abcdef}'),
  ('word', 'word_is_plain_and_short', array['', '-a', 'a b', 'a/b', E'a\n', 'é', repeat('a', 129)],
    array['A', 'a.b_c:d-e', '0', repeat('a', 128)]),
  ('relative_path', 'relative_path_stays_below', array['', '/', '/a', '.', '..', './a', '../a',
    'a/.', 'a/..', 'a/./b', 'a/../b', repeat('x', 4097)],
    array['a', '.striatum/a', '..a', 'a/...', 'a..', repeat('x', 4096)]);
select tap.refused(format('select %L::striatumd.%I', value, domain), refused_by)
  from tried, unnest(bad) as value;
select lives_ok(format('select %L::striatumd.%I', value, domain), 'good: ' || domain)
  from tried, unnest(good) as value;

-- striatumd.runs
create function pg_temp.run(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('runs', jsonb_build_object('run_id', pg_temp.id('run'),
    'repository_id', tap.id('repo', 'app'), 'workflow_id', 'wf', 'workflow_version', '1',
    'name', 'a workflow', 'state', 'running', 'branch_mode', 'auto', 'branch_name', 'striatum/r',
    'base_commit', repeat('a', 40), 'created_by', 'c', 'created_at', '2026-01-01Z',
    'started_at', '2026-01-01Z'), p_change)
$$;
create function pg_temp.ended(p_change jsonb default '{}') returns text language sql as $$
  select pg_temp.run(jsonb_build_object('state', 'completed', 'completion_mode', 'lanes_attested',
    'completion_record_json', '{}', 'completion_record_sha256', repeat('e', 64),
    'finished_at', '2026-01-02Z') || p_change)
$$;
select enum_has_labels('striatumd', 'run_state', array['needs_branch_confirmation', 'ready',
  'running', 'needs_operator', 'completed', 'failed', 'canceled', 'compromised'],
  'the states of a run');
select enum_has_labels('striatumd', 'branch_mode', array['auto', 'confirm'],
  'how a branch is chosen');
select enum_has_labels('striatumd', 'completion_mode', array['lanes_attested',
  'operator_override'], 'how a run is completed');
select enum_has_labels('striatumd', 'stop_reason', array['job_failed', 'all_jobs_canceled',
  'provenance_gate_failed', 'quarantined_jobs', 'canceled_by_operator',
  'artifact_unreachable'], 'why a run stops');
select throws_ok(pg_temp.run(jsonb_build_object(name, 'other')), '22P02', null,
  name || ' is one of its words')
  from unnest(array['state', 'branch_mode', 'completion_mode', 'stop_reason']) as name;
select throws_ok(pg_temp.run(jsonb_build_object(name, null)), '23502', null,
  'a run has its ' || name)
  from unnest(array['run_id', 'repository_id', 'workflow_id', 'workflow_version', 'name', 'state',
    'branch_mode', 'branch_name', 'base_commit', 'created_by', 'created_at']) as name;
select tap.refused(pg_temp.run('{"repository_id": "repo_0000000000000000"}'),
  'runs_belong_to_a_repository');
select tap.refused(pg_temp.run(jsonb_build_object('base_commit', text)),
  'runs_base_commit_is_hex')
  from unnest(array['', 'main', repeat('a', 39), repeat('a', 41), repeat('A', 40), repeat('g', 40),
    repeat('a', 65)]) as text;
select tap.refused(pg_temp.run(jsonb_build_object('branch_name', text)),
  'runs_branch_name_is_a_line')
  from unnest(array['', '-a', 'a b', E'a\nb', 'a~', 'a^', 'a:b', 'a?', 'a*', 'a[', E'a\\b', '~a',
    repeat('x', 201)]) as text;
select tap.refused(pg_temp.ended(change), 'runs_ended_has_a_record')
  from unnest(array['{"completion_record_json": null}', '{"completion_record_sha256": null}',
    '{"finished_at": null}', '{"completion_record_json": null, "finished_at": null}',
    '{"completion_record_json": null, "completion_record_sha256": null, "finished_at": null}'
    ]::jsonb[]) as change;
select tap.refused(pg_temp.ended(jsonb_build_object('completion_record_json', null,
  'completion_record_sha256', null, 'finished_at', null, 'state', state, 'completion_mode', mode,
  'stop_reason', 'job_failed')), 'runs_ended_has_a_record')
  from (values ('failed', null), ('canceled', null), ('compromised', 'operator_override')
    ) as ends (state, mode);
select tap.refused(pg_temp.ended(jsonb_build_object('state', state, 'completion_mode', null,
  'stop_reason', 'job_failed')), 'runs_ended_has_a_record')
  from unnest(array['needs_branch_confirmation', 'ready', 'running', 'needs_operator']) as state;
select tap.refused(pg_temp.run('{"started_at": null}'), 'runs_running_has_started');
select tap.refused(pg_temp.run('{"started_at": null, "state": "needs_operator",
  "stop_reason": "quarantined_jobs"}'), 'runs_running_has_started');
select tap.refused(pg_temp.ended('{"started_at": null}' || change), 'runs_running_has_started')
  from unnest(array['{}', '{"state": "compromised"}',
    '{"state": "failed", "completion_mode": null, "stop_reason": "job_failed"}']::jsonb[])
    as change;
select tap.refused(pg_temp.run('{"completion_mode": "lanes_attested"}'),
  'runs_completed_has_a_mode');
select tap.refused(pg_temp.ended(jsonb_build_object('completion_mode', null, 'state', state)),
  'runs_completed_has_a_mode') from unnest(array['completed', 'compromised']) as state;
select tap.refused(pg_temp.ended(jsonb_build_object('state', state, 'stop_reason', 'job_failed')),
  'runs_completed_has_a_mode') from unnest(array['failed', 'canceled']) as state;
select tap.refused(pg_temp.ended(jsonb_build_object('state', state, 'completion_mode', null)),
  'runs_failed_has_a_reason') from unnest(array['failed', 'canceled']) as state;
select tap.refused(pg_temp.run('{"state": "needs_operator"}'), 'runs_failed_has_a_reason');
select lives_ok(pg_temp.run(), 'a good row is taken');
select tap.refused(pg_temp.run('{"name": "other"}'), 'runs_are_distinct');
select lives_ok(pg_temp.run(jsonb_build_object('run_id', pg_temp.id('run', n::int)) || change),
  'and one that says ' || change::text)
  from unnest(array['{"state": "ready", "started_at": null}',
    '{"state": "needs_branch_confirmation", "started_at": null, "branch_mode": "confirm"}',
    '{"state": "needs_operator", "stop_reason": "provenance_gate_failed"}',
    jsonb_build_object('base_commit', repeat('0', 64), 'branch_name', repeat('é', 200))]::jsonb[])
    with ordinality as c (change, n);
select lives_ok(pg_temp.ended(jsonb_build_object('run_id', pg_temp.id('run', n::int)) || change),
  'also of its end: ' || change::text)
  from unnest(array['{"state": "canceled", "completion_mode": null, "started_at": null,
    "stop_reason": "canceled_by_operator"}', '{"completion_mode": "operator_override"}',
    '{"state": "compromised"}']::jsonb[]) with ordinality as c (change, m),
    lateral (select m + 4) as o (n);

-- What a run has come to is written once.
select tap.refused(format('update striatumd.runs set %s where run_id = %L', change,
  pg_temp.id('run', 6)), 'runs_completion_is_written_once')
  from unnest(array['completion_record_json = ''{"a": 1}''',
    'completion_record_sha256 = repeat(''f'', 64)', $$ finished_at = '2026-01-03Z' $$,
    $$ state = 'running', completion_mode = null, completion_record_json = null,
       completion_record_sha256 = null, finished_at = null $$]) as change;
select lives_ok(format('update striatumd.runs set %s where run_id = %L', change,
  pg_temp.id('run', 6)), 'but this may become another: ' || change::text)
  from unnest(array[$$ state = 'compromised' $$, 'completion_record_json = ''{}''']) as change;
select lives_ok(format($$ update striatumd.runs set state = 'completed', completion_record_json =
  '{"a": 1}', completion_mode = 'lanes_attested', completion_record_sha256 = repeat('e', 64),
  finished_at = '2026-01-02Z' where run_id = %L $$, pg_temp.id('run', 4)),
  'that of a run under way is written');

-- striatumd.workflow_snapshots
create function pg_temp.snapshot(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('workflow_snapshots', jsonb_build_object('run_id', pg_temp.id('run'),
    'repository_id', tap.id('repo', 'app'), 'source_path', 'wf.json',
    'source_sha256', repeat('b', 64), 'workflow', '{}'::jsonb, 'taken_at', '2026-01-01Z'), p_change)
$$;
select throws_ok(pg_temp.snapshot(jsonb_build_object(name, null)), '23502', null,
  'a snapshot has its ' || name)
  from unnest(array['run_id', 'repository_id', 'source_path', 'source_sha256', 'workflow',
    'taken_at']) as name;
select tap.refused(pg_temp.snapshot('{"source_path": "../wf.json"}'),
  'relative_path_stays_below');
select tap.refused(pg_temp.snapshot(jsonb_build_object('run_id', pg_temp.id('run', 9))),
  'workflow_snapshots_belong_to_a_run');
select tap.refused(pg_temp.snapshot(jsonb_build_object('workflow', workflow)),
  'workflow_snapshots_workflow_is_an_object')
  from unnest(array['[]', '"a"', '1']::jsonb[]) as workflow;
select lives_ok(pg_temp.snapshot(), 'a good row is taken');
select tap.refused(pg_temp.snapshot('{"source_path": "other"}'), 'workflow_snapshots_one_a_run');
select tap.refused(statement, 'workflow_snapshots_is_append_only')
  from unnest(array['update striatumd.workflow_snapshots set taken_at = taken_at',
    'delete from striatumd.workflow_snapshots', 'truncate striatumd.workflow_snapshots'])
    as statement;
select is(count(*), 1::bigint, 'it is there') from striatumd.workflow_snapshots;

-- striatumd.jobs
create function pg_temp.job(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('jobs', jsonb_build_object('job_id', pg_temp.id('job'),
    'repository_id', tap.id('repo', 'app'), 'run_id', pg_temp.id('run'),
    'workflow_job_id', 'draft', 'ordinal', 1, 'job_type', 'draft', 'title', 'Draft',
    'role_id', 'author', 'lane_id', 'author', 'state', 'pending', 'attempt', 1,
    'is_verdict', false, 'is_repo_write', true, 'is_fresh', false, 'spec', '{}'::jsonb,
    'requeues', 0), p_change)
$$;
select enum_has_labels('striatumd', 'job_state', array['pending', 'queued', 'claimed', 'running',
  'blocked', 'waiting_human', 'stale_lease', 'quarantined', 'completed', 'failed', 'canceled',
  'skipped'], 'the states of a job');
select throws_ok(pg_temp.job('{"state": "other"}'), '22P02', null,
  'are all that it can be in');
select throws_ok(pg_temp.job(jsonb_build_object(name, null)), '23502', null,
  'a job has its ' || name)
  from unnest(array['job_id', 'repository_id', 'run_id', 'workflow_job_id', 'ordinal', 'job_type',
    'title', 'role_id', 'state', 'attempt', 'is_verdict', 'is_repo_write', 'is_fresh', 'spec',
    'requeues']) as name;
select tap.refused(pg_temp.job(jsonb_build_object('run_id', pg_temp.id('run', 9))),
  'jobs_belong_to_a_run');
select tap.refused(pg_temp.job('{"ordinal": 0}'), 'jobs_ordinal_counts');
select tap.refused(pg_temp.job('{"attempt": 0}'), 'jobs_attempt_counts');
select tap.refused(pg_temp.job('{"requeues": -1}'), 'jobs_requeues_count');
select tap.refused(pg_temp.job('{"spec": []}'), 'jobs_spec_is_an_object');
select lives_ok(pg_temp.job(), 'a good row is taken');
select tap.refused(pg_temp.job('{"workflow_job_id": "other", "ordinal": 2}'),
  'jobs_are_distinct');
select tap.refused(pg_temp.job(jsonb_build_object('job_id', pg_temp.id('job', 1), 'ordinal', 2)),
  'jobs_one_a_name');
select tap.refused(pg_temp.job(jsonb_build_object('job_id', pg_temp.id('job', 1),
  'workflow_job_id', 'review')), 'jobs_one_a_place');
select lives_ok(pg_temp.job(jsonb_build_object('job_id', pg_temp.id('job', 1), 'ordinal', 2,
  'workflow_job_id', 'review', 'lane_id', null)), 'beside it another, of any lane');
select lives_ok(pg_temp.job(jsonb_build_object('job_id', pg_temp.id('job', 2),
  'run_id', pg_temp.id('run', 1))), 'and one of its name and place in another run');

-- striatumd.job_edges
create function pg_temp.edge(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('job_edges', jsonb_build_object('run_id', pg_temp.id('run'),
    'from_job_id', pg_temp.id('job'), 'to_job_id', pg_temp.id('job', 1)), p_change)
$$;
select throws_ok(pg_temp.edge(jsonb_build_object(name, null)), '23502', null,
  'an edge has its ' || name) from unnest(array['run_id', 'from_job_id', 'to_job_id']) as name;
select tap.refused(pg_temp.edge(jsonb_build_object('from_job_id', pg_temp.id('job', 9))),
  'job_edges_begin_at_a_job');
select tap.refused(pg_temp.edge(jsonb_build_object('to_job_id', pg_temp.id('job', 9))),
  'job_edges_end_at_a_job');
select tap.refused(pg_temp.edge(jsonb_build_object('to_job_id', pg_temp.id('job'))),
  'job_edges_lead_elsewhere');
select lives_ok(pg_temp.edge(), 'a good row is taken');
select tap.refused(pg_temp.edge(), 'job_edges_are_distinct');

-- striatumd.job_cycles
create function pg_temp.cycle(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('job_cycles', jsonb_build_object('run_id', pg_temp.id('run'),
    'from_job_id', pg_temp.id('job', 1), 'to_job_id', pg_temp.id('job'), 'max_iterations', 1,
    'iterations', 0), p_change)
$$;
select throws_ok(pg_temp.cycle(jsonb_build_object(name, null)), '23502', null,
  'a cycle has its ' || name) from unnest(array['run_id', 'from_job_id', 'to_job_id',
    'max_iterations', 'iterations']) as name;
select tap.refused(pg_temp.cycle(jsonb_build_object('from_job_id', pg_temp.id('job', 9))),
  'job_cycles_begin_at_a_job');
select tap.refused(pg_temp.cycle(jsonb_build_object('to_job_id', pg_temp.id('job', 9))),
  'job_cycles_end_at_a_job');
select tap.refused(pg_temp.cycle(jsonb_build_object('max_iterations', n)),
  'job_cycles_are_bounded') from unnest(array[0, 1001]) as n;
select tap.refused(pg_temp.cycle(jsonb_build_object('iterations', n)),
  'job_cycles_stay_in_bounds') from unnest(array[-1, 2]) as n;
select lives_ok(pg_temp.cycle('{"max_iterations": 1000, "iterations": 1000}'),
  'a good row is taken');
select tap.refused(pg_temp.cycle(jsonb_build_object('to_job_id', pg_temp.id('job', 2))),
  'job_cycles_one_a_review');

select * from finish();
rollback;
