-- doctor, run_fold: runs are as their events tell.
begin;
select plan(9);

-- given: two runs under way, one that ended; each was told
select tap.open_door();
select tap.authorize();
select tap.run_stage(run) from unnest('{r,s,ended}'::text[]) as run;
update striatumd.runs set state = 'failed', stop_reason = 'job_failed', finished_at = '2026-02-01Z',
    completion_record_json = '{}', completion_record_sha256 = repeat('e', 64)
 where run_id = tap.id('run', 'ended');
select tap.told(run) from unnest('{r,s,ended}'::text[]) as run;
create function pg_temp.found(p_statement text, p_ended int default 20) returns text
  language sql as $$
  select tap.after(p_statement, format(
    'select c ->> ''ok'' || '' '' || (c ->> ''affected'') from striatumd.check_run_folds(%s) c',
    p_ended))
$$;

-- does
select is(striatumd.check_run_folds(20), '{"plane": "provenance", "name": "run_fold", "ok": true,
  "message": "3 runs are as their events tell", "affected": [], "next": []}', 'all is well');
select is(pg_temp.found(statement), format('false ["%s"]', tap.id('run', run)), says) from (values
  ($$ update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.draft') $$, 'r',
    'a job that moved in silence'),
  ($$ update striatumd.runs set name = 'x' where run_id = tap.id('run', 'ended') $$, 'ended',
    'a run that ended'),
  ($$ update striatumd.job_cycles set iterations = 1 where run_id = tap.id('run', 's') $$, 's',
    'a cycle'),
  ($$ set local session_replication_role = replica;
      delete from striatumd.runs where run_id = tap.id('run', 's') $$, 's',
    'a run of which the events alone tell')) as bad (statement, run, says);
select is(pg_temp.found($$ update striatumd.jobs set attempt = 2 $$),
  format('false %s', jsonb_agg(tap.id('run', run) order by tap.id('run', run))), 'all that differ')
  from unnest('{r,s,ended}'::text[]) as run;
select is(pg_temp.found($$ update striatumd.runs set name = 'x'
    where run_id = tap.id('run', 'ended') $$, 0), 'true []', 'of those that ended so many at most');
select matches(tap.after($$ update striatumd.jobs set attempt = 2
    where job_id = tap.id('job', 'r.draft') $$,
  'select striatumd.check_run_folds(20) ->> ''message'''), '^1 runs differ from what their events '
  'tell; run_\w+: job job_\w+ attempt: the events tell 1, the table 2$',
  'the run is named, and the first difference');
select is(tap.after($$ update striatumd.jobs set attempt = 2 $$,
  'select striatumd.check_run_folds(20) -> ''next'''),
  '["striatum db export-chains DIR, and striatum-verify DIR"]', 'with what to do next');

select * from finish();
rollback;
