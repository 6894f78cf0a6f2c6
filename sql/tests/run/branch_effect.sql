-- The effect that makes a run's branch.
begin;
select plan(1);

select tap.run_stage();
select is(striatumd.branch_effect(r, '/srv/app'), jsonb_build_object('kind', 'branch_present',
  'repository_id', tap.id('repo', 'app'), 'args', jsonb_build_object('root', '/srv/app',
    'branch', 'striatum/r', 'commit', repeat('a', 40), 'run_id', tap.id('run', 'r'))),
  'it names the branch, where it begins, and whose it is') from striatumd.runs r;

select * from finish();
rollback;
