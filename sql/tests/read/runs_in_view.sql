-- The runs that a question is about.
begin;
select plan(4);

select tap.open_door();
select tap.run_stage(run) from unnest('{r,s,ended}'::text[]) as run;
select tap.run_stage('z', 'other');
select tap.ended('ended', 'failed');
select is((select array_agg(run order by run) from unnest('{r,s,ended,z}'::text[]) as run
             where tap.id('run', run) in (select run_id from striatumd.runs_in_view(
               tap.id('repo', 'app'), tap.id('run', asked)))), runs, says) from (values
  (null, '{r,s}'::text[], 'all of a repository that have not ended'),
  ('s', '{s}', 'the one that is named'),
  ('ended', '{ended}', 'also where it has ended'),
  ('z', null, 'and none of another repository')) as questions (asked, runs, says);

select * from finish();
rollback;
