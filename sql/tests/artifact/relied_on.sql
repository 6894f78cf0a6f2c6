-- What has to be there when a job ends.
begin;
select plan(5);

-- given
select tap.open_door(), tap.run_stage(), tap.run_stage('s');
select tap.session('one', 'author'), tap.session('other', 'author', 's');
select tap.published(session, job) from (values ('one', 'r.draft'), ('one', 'r.review'),
  ('one', 'r.synthesis'), ('other', 's.draft')) as a (session, job);
create function pg_temp.of(p_job text default null) returns text language sql as $$
  select string_agg(logical_name, ' ') from striatumd.relied_on(tap.id('run', 'r'),
    tap.id('job', 'r.' || p_job))
$$;

-- does
select is(pg_temp.of('draft'), 'draft', 'its own, while others have work to do');
update striatumd.jobs set state = 'completed' where job_id <> tap.id('job', 'r.synthesis');
select is(pg_temp.of('synthesis'), 'draft review synthesis', 'of all its run, if it is the last');
select is(pg_temp.of(), null, 'of the run as a whole nothing, while a job has work to do');
update striatumd.jobs set state = 'canceled' where job_id = tap.id('job', 'r.synthesis');
select is(pg_temp.of(), 'draft review', 'else of every job that was completed');

-- at the boundary
update striatumd.jobs set attempt = 2 where job_id = tap.id('job', 'r.draft');
select is(pg_temp.of(), 'review', 'at its last attempt');

select * from finish();
rollback;
