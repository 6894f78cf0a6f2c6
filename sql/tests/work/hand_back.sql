-- Work that is handed back undone.
begin;
select plan(12);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage(), tap.run_stage('q');
select tap.session('ann', 'author'), tap.session('bob', 'author', 'q');
select tap.leased('ann', 'r.draft'), tap.leased('bob', 'q.draft');
create function pg_temp.work(p_job text) returns text language sql as $$
  select concat_ws(' ', j.state, j.attempt, j.requeues, (select string_agg(concat_ws(':', m.state,
           m.attempt), ',' order by m.message_number) from striatumd.queue_messages m
           where m.job_id = j.job_id), l.state, l.release_reason, a.outcome)
    from striatumd.jobs j join striatumd.leases l using (job_id)
    join striatumd.job_attempts a on a.job_id = j.job_id and a.attempt = 1
   where j.job_id = tap.id('job', p_job)
$$;
create function pg_temp.hand_back(p_state text) returns text language plpgsql as $$
declare
  v_lease  striatumd.leases;
  v_events jsonb;
begin
  select * into v_lease from striatumd.leases where job_id = tap.id('job', 'r.draft');
  v_events := striatumd.hand_back(tap.call(), v_lease, p_state::striatumd.lease_state, 'why',
    'job.released', 'told why');
  perform striatumd.append_events(v_events);
  return (select string_agg(concat_ws(' ', e ->> 'event_type', e #>> '{payload,reason}',
      e ->> 'lease_id' = v_lease.lease_id), ', ') from jsonb_array_elements(v_events) as e);
end
$$;
-- What it answers, how the work stands then, and whether the events tell it, after a change.
create function pg_temp.after(p_change text, p_state text) returns text language sql as $$
  select tap.after(p_change || '; select tap.told()', format(
    'select concat_ws('' | '', pg_temp.hand_back(%L), pg_temp.work(''r.draft''),
       striatumd.run_fold_difference(tap.id(''run'', ''r'')))', p_state))
$$;

-- does
select is(pg_temp.after('select', 'released'),
  'job.released told why t | queued 1 0 pending:1 released why',
  'the attempt and its message stay');
select is(pg_temp.after('select', 'expired'),
  'job.released told why t | queued 1 1 pending:1 expired why',
  'a lease that expired counts as a requeue');
select is(pg_temp.after('update striatumd.leases set has_published = true', 'released'),
  'job.released told why t, job.queued told why | '
  'queued 2 0 canceled:1,pending:2 released why why',
  'what has published gets another attempt, and the one before is over');
select is(pg_temp.after('update striatumd.leases set has_published = true', 'expired'),
  'job.released told why t, job.queued told why | '
  'queued 2 1 canceled:1,pending:2 expired why why', 'and counts all the same');

-- at the boundary: the lease is not the current one's any more
select tap.told();
create function pg_temp.refused(p_change text) returns text language sql as $$
  select tap.after(p_change,
    $sql$ select tap.sqlstate_of('select pg_temp.hand_back(''expired'')') $sql$)
$$;
select is(pg_temp.refused(change), 'P0002', says) from (values
  ($$ update striatumd.leases set state = 'released', ended_at = now(), release_reason = 'x' $$,
    'nothing is handed back twice'),
  ($$ update striatumd.jobs set attempt = 2 $$, 'nor for another attempt')) as bad (change, says);

-- around
select is(pg_temp.work(job), 'running 1 0 acked:1 active', job || ' is held as before')
  from unnest('{r.draft,q.draft}'::text[]) as job;
select is(pg_temp.hand_back('released'), 'job.released told why t', 'it is handed back');
select is(pg_temp.work('r.draft'), 'queued 1 0 pending:1 released why',
  'and waits for whoever comes');
select is(pg_temp.work('q.draft'), 'running 1 0 acked:1 active', 'a neighbour did not move');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.hand_back(null, null, null, null, null, null) $$, '28000',
  'daemon_authority_missing', 'nobody hands back without the daemon''s secret');

select * from finish();
rollback;
