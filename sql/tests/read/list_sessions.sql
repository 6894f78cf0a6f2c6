-- list.sessions: the sessions of a run.
begin;
select plan(5);

-- given
select tap.open_door();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author');
select tap.session('rev', 'reviewer', 's');
create function pg_temp.ask(p_run text default 'r', p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'list.sessions', jsonb_build_object('run_id', tap.id('run', p_run),
    'repository_id', tap.id('repo', 'app')))
$$;

-- does
select is(pg_temp.ask() #> '{data,sessions}', striatumd.run_sessions(tap.id('run', 'r')),
  'those of the run');
select is(jsonb_path_query_array(pg_temp.ask('s'), '$.data.sessions[*].session'),
  '["reviewer-reviewer-1"]', 'and of no other');
select is(tap.code(pg_temp.ask('r', 'ann')), 'ok', 'a lane reads its run');

-- refuses
select is(tap.code(pg_temp.ask('s', 'ann')), 'run_not_found', 'and no other');
select is(tap.code(pg_temp.ask('x')), 'run_not_found', 'a run that there is not');

select * from finish();
rollback;
