-- A run as the events of that run alone tell it.
begin;
select plan(7);

-- given: two runs that events tell of, and one of which none does
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author');
select tap.told();
select tap.told('s');

-- does
select is(striatumd.fold_run('run_0000000000000000'), '{"state": {}, "differences": []}',
  'a run of which no event tells');
select is(striatumd.fold_run(tap.id('run', 'r')) -> 'differences', '[]', 'nothing contradicts');
select is(jsonb_path_query_array(striatumd.fold_run(tap.id('run', 'r')), '$.state.keyvalue().key'),
  '["job", "run", "cycle", "message", "session", "supervisor"]', 'all that belongs to it');
select is(striatumd.fold_run(tap.id('run', run)) #> array['state', 'run'] = jsonb_build_object(
  tap.id('run', run), striatumd.run_folded(r)), true, 'and to it alone: ' || run)
  from unnest('{r,s}'::text[]) as run
  join striatumd.runs r on r.run_id = tap.id('run', run);

-- does: what later events change
select striatumd.append_events(jsonb_build_array(striatumd.run_event(tap.call(), 'job.claimed',
  'test', jsonb_build_array(striatumd.change('job', tap.id('job', 'r.draft'),
    '{"state": "queued"}', '{"state": "claimed"}')))));
select is(striatumd.fold_run(tap.id('run', 'r')) #>> array['state', 'job',
  tap.id('job', 'r.draft'), 'state'], 'claimed', 'the last event counts');
select is(striatumd.fold_run(tap.id('run', 's')) #>> array['state', 'job',
  tap.id('job', 's.draft'), 'state'], 'queued', 'and the other run stays');

select * from finish();
rollback;
