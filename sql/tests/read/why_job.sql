-- What a job waits for.
begin;
select plan(24);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
create function pg_temp.why(p_job text) returns jsonb language sql as $$
  select striatumd.why_job(tap.id('job', 'r.' || p_job))
$$;
create function pg_temp.is_why(p_job text, p_waits jsonb, p_next jsonb, p_says text)
  returns setof text language sql as $$
  select is(pg_temp.why(p_job) -> 'waits_for', p_waits, p_says)
  union all
  select is(pg_temp.why(p_job) -> 'next', p_next, p_says || ': what to do')
$$;

-- does: before its turn
select * from pg_temp.is_why('review', '["job draft before it is queued"]',
  jsonb_build_array('striatum why ' || tap.id('job', 'r.draft')), 'pending');

-- does: in the queue
select * from pg_temp.is_why('draft',
  '["there is no active session of role author and lane author"]', jsonb_build_array(format(
    'striatum session register %s author author', tap.id('run', 'r'))), 'queued, for nobody');
select tap.session('bob', 'author', 'r', null);
select * from pg_temp.is_why('draft', '["session author-author-1 has no agent"]',
  jsonb_build_array('striatum supervise start --session-id ' || tap.id('sess', 'bob')),
  'queued, for a session without an agent');
update striatumd.sessions set state = 'lost', closed_at = '2026-01-02Z';
select tap.session('ann', 'author');
select * from pg_temp.is_why('draft', '["session author-author-2 may claim it, and has not yet"]',
  jsonb_build_array('striatum why ' || tap.id('sess', 'ann')), 'queued, for a session that can');
update striatumd.process_supervisors set state = 'starting'
 where session_id = tap.id('sess', 'ann');
select * from pg_temp.is_why('draft', '["the agent of session author-author-2 is starting"]',
  jsonb_build_array('striatum why ' || tap.id('sess', 'ann')), 'queued, for one that starts');
update striatumd.process_supervisors set state = 'attached'
 where session_id = tap.id('sess', 'ann');

-- does: under way
select tap.leased('ann', 'r.draft');
select pg_temp.is_why('draft', jsonb_build_array('session author-author-2 holds it until '
    || striatumd.utc_micros(expires_at)), jsonb_build_array('striatum why '
    || tap.id('sess', 'ann')), 'running') from striatumd.leases;

-- does: another one's work, and a session that is not fresh any more
select tap.queued('r.synthesis');
select * from pg_temp.is_why('synthesis',
  '["lane author is at work on draft, and no parallel_group has both jobs",
    "session author-author-2 holds draft"]', jsonb_build_array(
    'striatum why ' || tap.id('job', 'r.draft'), 'striatum why ' || tap.id('sess', 'ann')),
  'queued, for one that works');
update striatumd.jobs set spec = spec || '{"parallel_group": "both"}';
update striatumd.queue_messages set is_fresh = true where state = 'pending';
select * from pg_temp.is_why('synthesis',
  '["session author-author-2 has worked before, and it wants a fresh one"]',
  jsonb_build_array(format('striatum session register %s author author', tap.id('run', 'r'))),
  'queued, for a fresh one');

-- does: stopped
update striatumd.jobs set state = 'blocked' where job_id = tap.id('job', 'r.review');
select striatumd.open_blocker(tap.call(), tap.id('job', 'r.review'), 'human_checkpoint',
  'review.rejected', 'Not this way', '{}');
select pg_temp.is_why('review', '["review.rejected: Not this way"]',
    striatumd.resolve_actions(b), 'blocked')
  from striatumd.blockers b;
update striatumd.jobs set state = 'failed' where job_id = tap.id('job', 'r.review');
update striatumd.blockers set state = 'resolved', resolved_at = '2026-01-02Z', resolution = 'x',
    resolved_by = 'ada';
select * from pg_temp.is_why('review', '["it is failed, and nobody works on it"]',
  jsonb_build_array(format('striatum run retry-job %s --reason TEXT', tap.id('job', 'r.review'))),
  'failed');

-- at the boundary
update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.review');
select * from pg_temp.is_why('review', '[]', '[]', 'completed');
update striatumd.runs set state = 'ready';
select * from pg_temp.is_why('review', '["its run is ready"]',
  jsonb_build_array('striatum why ' || tap.id('run', 'r')), 'of a run that is not running');

select * from finish();
rollback;
