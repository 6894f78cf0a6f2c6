-- A run and all that belongs to it as the tables have it.
begin;
select plan(5);

-- given: a run with one row of every kind but artifact, verdict and blocker; and a neighbour
select tap.open_door();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author');
select tap.leased('ann', 'r.draft');
create function pg_temp.counts(p_run text) returns jsonb language sql as $$
  select jsonb_object_agg(k.key, (select count(*) from jsonb_object_keys(k.value)))
    from jsonb_each(striatumd.run_as_tabled(tap.id('run', p_run))) k
$$;

-- does
select is(striatumd.run_as_tabled('run_0000000000000000'), '{}', 'a run that there is not');
select is(pg_temp.counts('r'), '{"run": 1, "job": 3, "cycle": 1, "session": 1, "supervisor": 1,
  "message": 1, "lease": 1}', 'every thing of it');
select is(pg_temp.counts('s'), '{"run": 1, "job": 3, "cycle": 1, "message": 1}',
  'and nothing of a neighbour');
select is(striatumd.run_as_tabled(run_id) #> array['lease', lease_id], striatumd.lease_folded(l),
  'with the columns that events carry') from striatumd.leases l;
select tap.authorize();
insert into striatumd.artifacts select tap.id('art', 'a'), repository_id, run_id, job_id, 1,
  session_id, lease_id, 'draft', 'handoff', 'docs/draft.md', repeat('d', 64), 5, null,
  'git_publication', '2026-01-02Z' from striatumd.leases;
insert into striatumd.verdicts (verdict_id, repository_id, run_id, job_id, attempt, verdict,
  posture, basis, recorded_by, recorded_at)
select tap.id('verd', 'v'), repository_id, run_id, job_id, 1, 'accept', 'neutral',
  'checkpoint_override', 'ada', '2026-01-02Z' from striatumd.leases;
select striatumd.open_blocker(tap.call(), tap.id('job', 'r.draft'), 'blocked', 'test', 'test',
  '{}');
select is(pg_temp.counts('r') - '{run,job,cycle,session,supervisor,message,lease}'::text[],
  '{"artifact": 1, "verdict": 1, "blocker": 1}', 'also what work leaves behind');

select * from finish();
rollback;
