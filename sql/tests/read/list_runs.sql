-- list.runs: the runs of a repository.
begin;
select plan(8);

-- given: three runs, one of which ended, and one of another repository
select tap.open_door();
select tap.run_stage(run) from unnest('{r,s,ended}'::text[]) as run;
select tap.run_stage('z', 'other');
select tap.session('ann', 'author');
update striatumd.runs set created_at = '2025-12-31Z' where run_id = tap.id('run', 'r');
select tap.ended('ended', 'failed');
update striatumd.runs set created_at = '2026-01-02Z' where run_id = tap.id('run', 'ended');
create function pg_temp.ask(p_params jsonb default '{}', p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'list.runs', jsonb_build_object('repository_id', tap.id('repo', 'app'))
    || p_params)
$$;
create function pg_temp.runs(p_params jsonb) returns text language sql as $$
  select string_agg(run, ' ' order by n)
    from jsonb_array_elements(pg_temp.ask(p_params) #> '{data,runs}') with ordinality as e (r, n)
    join unnest('{r,s,ended,z}'::text[]) as run on r ->> 'run_id' = tap.id('run', run)
$$;

-- does
select is(pg_temp.runs(params), runs, says) from (values
  ('{}'::jsonb, 'ended s r', 'the newest first, of this repository alone'),
  ('{"state": "running"}', 's r', 'those in one state'),
  ('{"state": "completed"}', null, 'also where there is none'),
  ('{"limit": 1}', 'ended', 'so many at most')) as asked (params, runs, says);
select is(pg_temp.ask() #> '{data,runs,0}', striatumd.run_shown(r, '2027-01-01Z')
    || '{"jobs": 3, "jobs_completed": 0}', 'each with how far it is')
  from striatumd.runs r where run_id = tap.id('run', 'ended');
select is(pg_temp.ask('{"state": "completed"}') #> '{data,runs}', '[]', 'none is an empty list');

-- refuses
select is(tap.code(pg_temp.ask('{}', 'ann')), 'capability_denied', 'a lane');
select is(tap.code(pg_temp.ask('{"repository_id": "repo_0000000000000000"}')),
  'repo_not_registered', 'another repository');

select * from finish();
rollback;
