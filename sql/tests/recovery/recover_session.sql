-- What becomes of the work of a session that ended.
-- STR-RECOVERY-16: work that may have changed the repository is never queued again by itself.
-- STR-QUEUE-15: other work is, while its budget lasts. STR-QUEUE-16: that work waits for somebody.
begin;
select plan(32);

-- given: a review, held by a session that is lost
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session(name, 'reviewer') from unnest('{rob,live,idle}'::text[]) as name;
select tap.session('ann', 'author');
select tap.queued('r.review');
select tap.leased('ann', 'r.draft'), tap.leased('rob', 'r.review');
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z'
 where session_id in (tap.id('sess', 'rob'), tap.id('sess', 'ann'), tap.id('sess', 'idle'));
create function pg_temp.work(p_job text) returns text language sql as $$
  select concat_ws(' ', j.state, j.attempt, j.requeues, (select string_agg(concat_ws(':', m.state,
             m.attempt), ',' order by m.message_number)
           from striatumd.queue_messages m where m.job_id = j.job_id), (select string_agg(concat_ws(
           ':', l.state, l.release_reason), ',' order by l.lease_id) from striatumd.leases l
             where l.job_id = j.job_id),
           (select string_agg(concat_ws(':', b.kind, b.severity, b.state), ',')
             from striatumd.blockers b where b.job_id = j.job_id))
    from striatumd.jobs j where j.job_id = tap.id('job', 'r.' || p_job)
$$;
create function pg_temp.recover(p_session text) returns text language plpgsql as $$
declare
  v_events jsonb := striatumd.recover_session(tap.call(), tap.id('sess', p_session));
begin
  perform striatumd.append_events(v_events) where v_events <> '[]';
  return coalesce((select string_agg(concat_ws(' ', e ->> 'event_type', e #>> '{payload,reason}'),
    ', ') from jsonb_array_elements(v_events) as e), 'nothing');
end
$$;
create function pg_temp.difference() returns text language sql as $$
  select striatumd.run_fold_difference(tap.id('run', 'r'))
$$;
-- What recovery answers, how the work stands then, and whether the events tell it, after a change.
create function pg_temp.after(p_change text, p_session text, p_job text) returns text
  language sql as $$
  select tap.after(p_change || '; select tap.told()', format(
    'select concat_ws('' | '', pg_temp.recover(%L), pg_temp.work(%L), pg_temp.difference())',
    p_session, p_job))
$$;

-- does: nothing may have been changed
select is(pg_temp.after('select', 'rob', 'review'),
  'lease.expired owner_gone | queued 1 1 pending:1 expired:owner_gone',
  'a review is queued again, at the same attempt and by the same message');
select is(pg_temp.after('update striatumd.leases set has_published = true', 'rob', 'review'),
  'lease.expired owner_gone, job.queued owner_gone | '
  'queued 2 1 canceled:1,pending:2 expired:owner_gone',
  'where it had published, at the next one, since names are used up');
select is(pg_temp.after('update striatumd.jobs set state = ''claimed''', 'rob', 'review'),
  'lease.expired owner_gone | queued 1 1 pending:1 expired:owner_gone',
  'also one that was never begun');

-- does: the budget
select is(pg_temp.after('update striatumd.jobs set requeues = 1', 'rob', 'review'),
  'lease.expired owner_gone | queued 1 2 pending:1 expired:owner_gone', 'the second time, too');
select is(pg_temp.after('update striatumd.jobs set requeues = 2', 'rob', 'review'),
  'job.blocked recovery_exhausted | stale_lease 1 2 blocked:1 expired:owner_gone '
  'recovery_exhausted:blocked:open', 'the third time a person decides');
alter table striatumd.workflow_snapshots disable trigger append_only;
create function pg_temp.budget(p_policy jsonb, p_requeues int) returns text language sql as $$
  select split_part(pg_temp.after(format('update striatumd.workflow_snapshots set workflow =
      workflow || jsonb_build_object(''recovery_policy'', %L::jsonb);
    update striatumd.jobs set requeues = %s', p_policy, p_requeues), 'rob', 'review'), ' |', 1)
$$;
select is(pg_temp.budget(policy, n), answer, format('%s, after %s', policy, n)) from (values
  ('{"max_requeues": 0}'::jsonb, 0, 'job.blocked recovery_exhausted'),
  ('{"max_requeues": -1}', 0, 'job.blocked recovery_exhausted'),
  ('{"max_requeues": "abc"}', 1, 'lease.expired owner_gone'),
  ('{"max_requeues": 99999999999}', 1, 'lease.expired owner_gone'),
  ('{"max_requeues": 3}', 2, 'lease.expired owner_gone'),
  ('{"max_requeues": 3}', 3, 'job.blocked recovery_exhausted'),
  ('{"max_total_requeues_per_job": 1}', 1, 'job.blocked recovery_exhausted'),
  ('{"max_requeues": 2, "max_total_requeues_per_job": 1}', 1, 'lease.expired owner_gone'),
  ('{}', 1, 'lease.expired owner_gone')) as policies (policy, n, answer);

-- does: the repository may have been changed
select is(pg_temp.after('select', 'ann', 'draft'),
  'job.blocked lease_owner_gone | stale_lease 1 0 blocked:1 expired:owner_gone '
  'lease_owner_gone:blocked:open', 'a draft waits for a person');
select is(pg_temp.after('update striatumd.leases set has_published = true', 'ann', 'draft'),
  'job.blocked lease_owner_gone | stale_lease 1 0 blocked:1 expired:owner_gone '
  'lease_owner_gone:blocked:open', 'also where it had published');

-- at the boundary: what is over
select is(pg_temp.after('update striatumd.jobs set state = ''canceled''', 'ann', 'draft'),
  'lease.expired owner_gone | canceled 1 0 canceled:1 expired:owner_gone',
  'of a job that has ended the lease alone ends');
select is(pg_temp.after('select tap.ended(''r'', ''failed'')', session, job),
  'lease.expired owner_gone | running 1 0 canceled:1 expired:owner_gone',
  'and of a run that has ended: ' || job)
  from (values ('ann', 'draft'), ('rob', 'review')) as held (session, job);
select is(pg_temp.recover('idle'), 'nothing', 'a session that held nothing');
select is(pg_temp.recover('nobody'), 'nothing', 'a session that there is not');
update striatumd.leases set state = 'released', ended_at = '2026-01-02Z',
    release_reason = 'completed' where session_id = tap.id('sess', 'ann');
select is(pg_temp.recover('ann'), 'nothing', 'a lease that has ended');

-- does, for good
select tap.told();
select is(pg_temp.work('review'), 'running 1 0 acked:1 active', 'the review is still held');
select is(pg_temp.recover('rob'), 'lease.expired owner_gone', 'it is recovered');
select is(pg_temp.recover('rob'), 'nothing', 'and once only');
select is(ended_at, null, 'its attempt goes on')
  from striatumd.job_attempts where job_id = tap.id('job', 'r.review');
select is((select count(*) from striatumd.verdicts) + (select count(*) from striatumd.artifacts)
  + (select count(*) from striatumd.jobs where state = 'completed'), 0::bigint,
  'no verdict and no completion is made up');

-- does: a second death, under the lease of a session that lives on
select tap.leased('live', 'r.review');
select is(pg_temp.recover('live'), 'nothing', 'whoever lives keeps what it holds');
update striatumd.leases set has_published = true where session_id = tap.id('sess', 'live');
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z'
 where session_id = tap.id('sess', 'live');
select is(pg_temp.recover('live'), 'lease.expired owner_gone, job.queued owner_gone',
  'one that had published is recovered');
select is(pg_temp.work('review'),
  'queued 2 2 canceled:1,pending:2 expired:owner_gone,expired:owner_gone',
  'at the next attempt, and the count goes on');
select is(outcome::text, 'owner_gone', 'the attempt before is over')
  from striatumd.job_attempts where job_id = tap.id('job', 'r.review') and attempt = 1;

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.recover_session(null, null) $$, '28000',
  'daemon_authority_missing', 'nobody recovers without the daemon''s secret');

select * from finish();
rollback;
