-- doctor, active_job_without_active_lease.
begin;
select plan(5);

-- given
select tap.open_door();
select tap.run_stage();
select tap.session('ann', 'author');
select tap.leased('ann', 'r.draft');
create function pg_temp.found(p_statement text) returns text language sql as $$
  select tap.after(p_statement,
    'select c ->> ''ok'' || '' '' || (c ->> ''affected'') from striatumd.check_active_jobs() c')
$$;

-- does
select is(striatumd.check_active_jobs() - 'message', '{"plane": "availability",
  "name": "active_job_without_active_lease", "ok": true, "affected": [], "next": []}',
  'a job that a lease holds');
select is(pg_temp.found($$ update striatumd.leases
    set state = 'released', ended_at = now(), release_reason = 'x' $$),
  format('false ["%s"]', tap.id('job', 'r.draft')), 'one whose lease is over');
select is(pg_temp.found($$ update striatumd.jobs set state = 'claimed' $$),
  format('false %s', jsonb_agg(tap.id('job', job) order by tap.id('job', job))), 'and never was')
  from unnest('{r.review,r.synthesis}'::text[]) as job;
select is(pg_temp.found($$ update striatumd.jobs set state = 'claimed';
  select tap.ended('r', 'failed') $$), 'true []', 'what of a run that ended');
select is(tap.after($$ update striatumd.jobs set state = 'running'
    where job_id = tap.id('job', 'r.review') $$,
  'select striatumd.check_active_jobs() -> ''next'''),
  format('["striatum why %s"]', tap.id('job', 'r.review')), 'with what to do next');

select * from finish();
rollback;
