-- recovery.requeue_stale: a job again whose agent is gone.
-- STR-RECOVERY-02: work that was read only goes back, what can be claimed is reported, repo-write
-- work is taken only by force and with a reason, on record.
-- STR-QUEUE-16: what may have changed the repository, after somebody looked.
begin;
select plan(31);

-- given: a draft and a review of which recovery made stale ones
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('ann', 'author'), tap.session('rob', 'reviewer'), tap.session('new', 'author');
select tap.queued('r.review');
select tap.leased('ann', 'r.draft'), tap.leased('rob', 'r.review');
update striatumd.jobs set requeues = 2 where job_id = tap.id('job', 'r.review');
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z'
 where session_id in (tap.id('sess', 'ann'), tap.id('sess', 'rob'));
select tap.told();
select set_config('striatum.test_now', '2026-01-02T00:00:00Z', true);
create function pg_temp.requeue(p_job text, p_more jsonb default '{}', p_client text default 'ada')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'recovery.requeue_stale', jsonb_build_object('repository_id',
    tap.id('repo', 'app'), 'job_id', tap.id('job', 'r.' || p_job)) || p_more)
$$;
create function pg_temp.work(p_job text) returns text language sql as $$
  select concat_ws(' ', j.state, j.attempt, j.requeues, (select string_agg(concat_ws(':', m.state,
             m.attempt), ',' order by m.message_number)
           from striatumd.queue_messages m where m.job_id = j.job_id),
           (select string_agg(concat_ws(':', b.kind, b.state, b.resolution), ',')
             from striatumd.blockers b where b.job_id = j.job_id))
    from striatumd.jobs j where j.job_id = tap.id('job', 'r.' || p_job)
$$;
create function pg_temp.difference() returns text language sql as $$
  select striatumd.run_fold_difference(tap.id('run', 'r'))
$$;

-- refuses: recovery has not found it yet
select is(tap.code(pg_temp.requeue('review')), 'job_not_stale', 'a job that is held');
select is(pg_temp.requeue('review') #> '{error,details}', jsonb_build_object('job_id',
  tap.id('job', 'r.review'), 'state', 'running'), 'it says how it stands');
select is(pg_temp.requeue('review') #>> '{error,next,1}', 'striatum recovery sweep '
  || tap.id('run', 'r'), 'and what finds it');
select is(tap.code(pg_temp.requeue('synthesis')), 'job_not_stale', 'a job that nobody began');
select striatumd.append_events(striatumd.sweep_run(tap.call()));
select is(pg_temp.work(job), was, job || ' is stale') from (values
  ('draft', 'stale_lease 1 0 blocked:1 lease_owner_gone:open'),
  ('review', 'stale_lease 1 2 blocked:1 recovery_exhausted:open')) as stale (job, was);

-- refuses: repo-write
select is(tap.code(pg_temp.requeue('draft', more)), 'requeue_needs_force', 'a draft with '
  || more::text) from unnest(array['{}', '{"force": true}', '{"reason": "looked"}',
    '{"force": false, "reason": "looked"}']::jsonb[]) as more;
select is(pg_temp.requeue('draft') #> '{error,next}', jsonb_build_array('git status', format(
  'striatum recovery requeue-stale %s --force --reason TEXT', tap.id('job', 'r.draft'))),
  'first somebody looks');
select is(pg_temp.work('draft'), 'stale_lease 1 0 blocked:1 lease_owner_gone:open',
  'nothing was changed');
select tap.client('writer', '{read,write,claim}');
select is(tap.code(pg_temp.requeue('draft', '{}', 'writer')), 'capability_missing',
  'nor by whoever may not recover');
select is(tap.code(pg_temp.requeue('nothing')), 'job_not_found', 'nor what there is not');

-- does: what had published
select is(tap.after($$ update striatumd.leases set has_published = true;
    do 'begin perform pg_temp.requeue(''review''); end' $$,
  $$ select pg_temp.work('review') || ' ' || outcome from striatumd.job_attempts
      where job_id = tap.id('job', 'r.review') and attempt = 1 $$),
  'queued 2 0 canceled:1,pending:2 recovery_exhausted:resolved:requeued requeued',
  'at the next attempt, where the one before had published');
select is(tap.after($$ update striatumd.leases set has_published = true, attempt = 2;
    do 'begin perform pg_temp.requeue(''review''); end' $$, $$ select pg_temp.work('review') $$),
  'queued 1 0 pending:1 recovery_exhausted:resolved:requeued',
  'at the same, where another attempt had');

-- does
select is(pg_temp.requeue('review') -> 'data', jsonb_build_object('job_id',
  tap.id('job', 'r.review'), 'workflow_job_id', 'review', 'state', 'queued', 'attempt', 1),
  'a review is queued again, without force');
select is(pg_temp.work('review'), 'queued 1 0 pending:1 recovery_exhausted:resolved:requeued',
  'at the same attempt and by the same message; nothing stands in its way');
create temp table forced as
  select pg_temp.requeue('draft', '{"force": true, "reason": "nothing was written"}') as reply;
select is(tap.code(reply), 'ok', 'a draft by force and with a reason') from forced;
select is(reply -> 'wakes', jsonb_build_array('events:' || tap.id('run', 'r'),
  'run:' || tap.id('run', 'r')), 'wakes whoever waits') from forced;
select is(pg_temp.work('draft'), 'queued 1 0 pending:1 lease_owner_gone:resolved:requeued',
  'is queued, too');
select is(payload ->> 'reason' || ' ' || (payload ->> 'force') || ' ' || (payload ->> 'by'),
  'nothing was written true ' || tap.client_id('ada'), 'why, how and by whom is on record')
  from striatumd.events, lateral (select payload_json::jsonb as payload) p
 where event_type = 'job.requeued' and job_id = tap.id('job', 'r.draft');
select is(pg_temp.difference(), null, 'the events tell all of it');

-- at the boundary
select is(pg_temp.requeue('review') #>> '{data,note}', 'it can be claimed already',
  'what is queued is reported');
select is(pg_temp.work('review'), 'queued 1 0 pending:1 recovery_exhausted:resolved:requeued',
  'and stays as it is');

-- B013: whether the owner lives decides, and not how long its lease would last
update striatumd.runs set state = 'running', stop_reason = null;
select tap.session('long', 'author'), tap.queued('r.synthesis'), tap.leased('long', 'r.synthesis');
select is(tap.ask('long', 'work.heartbeat', jsonb_build_object('lease_id', tap.id('lease',
  'longr.synthesis'), 'extend_seconds', 86400)) -> 'ok', 'true', 'a lease that lasts a day');
select is(jsonb_build_array(striatumd.sweep_run(tap.call()),
  tap.code(pg_temp.requeue('synthesis', '{"force": true, "reason": "x"}'))),
  '[[], "job_not_stale"]', 'is its owner''s while that lives') from tap.authorize();
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z'
 where session_id = tap.id('sess', 'long');
select striatumd.append_events(striatumd.sweep_run(tap.call())) from tap.authorize();
select is(tap.code(pg_temp.requeue('synthesis', '{"force": true, "reason": "x"}')), 'ok',
  'and is taken at once when it is gone');

-- B012: a fresh budget, once an operator has decided
select tap.session('next', 'reviewer');
select is(tap.ask('next', 'work.claim_next', '{}', tap.claiming('next', 'r.review'))
  #>> '{data,status}', 'claimed', 'it is claimed again');
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z'
 where session_id = tap.id('sess', 'next');
select striatumd.append_events(striatumd.sweep_run(tap.call())) from tap.authorize();
select is(pg_temp.work('review'), 'queued 1 1 pending:1 recovery_exhausted:resolved:requeued',
  'its next agent that dies is the first one');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.recovery_requeue_stale(null, '{}') $$, '28000',
  'daemon_authority_missing', 'nobody requeues without the daemon''s secret');

select * from finish();
rollback;
