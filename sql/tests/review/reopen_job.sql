-- The one way back: a job is opened for another attempt, and what came after it is set back.
begin;
select plan(18);

-- given: the draft is done, its review is under way and blocked, and a neighbour's run stands still
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author'), tap.session('ben', 'reviewer'),
       tap.session('n', 'author', 's');
select tap.leased('ann', 'r.draft'), tap.leased('n', 's.draft');
select tap.published('ann', 'r.draft');
update striatumd.leases set state = 'released', ended_at = now(), release_reason = 'completed'
 where session_id = tap.id('sess', 'ann');
update striatumd.queue_messages set state = 'done' where job_id = tap.id('job', 'r.draft');
update striatumd.job_attempts set ended_at = '2026-01-01Z', outcome = 'completed'
 where job_id = tap.id('job', 'r.draft');
update striatumd.jobs set state = 'completed', requeues = 2 where job_id = tap.id('job', 'r.draft');
select tap.queued('r.review');
select tap.leased('ben', 'r.review');
insert into striatumd.blockers (blocker_id, repository_id, run_id, job_id, severity, kind, state,
  description, payload_json, opened_at)
select tap.id('blk', name), tap.id('repo', 'app'), run_id, job_id, 'blocked', 'test', 'open', 'Why',
       '{}', '2026-01-01Z'
  from (values ('r', tap.id('run', 'r'), tap.id('job', 'r.review')),
    ('s', tap.id('run', 's'), tap.id('job', 's.draft'))) as b (name, run_id, job_id);
select tap.told(), tap.told('s');
create temp table neighbour as select striatumd.run_as_tabled(tap.id('run', 's')) as was;
create function pg_temp.reopen(p_job text) returns void language sql as $$
  select striatumd.append_events(striatumd.reopen_job(tap.call(), tap.id('job', 'r.' || p_job),
    'why'))
$$;
create function pg_temp.jobs() returns text language sql as $$
  select string_agg(concat_ws(' ', workflow_job_id, state, attempt, requeues), ', '
           order by ordinal) from striatumd.jobs where run_id = tap.id('run', 'r')
$$;
create function pg_temp.messages() returns setof text language sql as $$
  select concat_ws(' ', workflow_job_id, m.attempt, m.state)
    from striatumd.queue_messages m join striatumd.jobs j using (job_id)
   where j.run_id = tap.id('run', 'r') order by message_number
$$;

-- does
select pg_temp.reopen('draft');
select is(pg_temp.jobs(), 'draft queued 2 0, review pending 2 0, synthesis pending 1 0',
  'it and what was begun after it are at their next attempt; what was not is at its first');
select rows_are($$ select state, ended_at, release_reason from striatumd.leases
    where session_id = tap.id('sess', 'ben') $$,
  $$ values ('released'::striatumd.lease_state, '2026-01-02Z'::timestamptz, 'revision_reopened') $$,
  'a lease in between ended');
select is(release_reason, 'completed', 'one that had ended did so as it had')
  from striatumd.leases where session_id = tap.id('sess', 'ann');
select rows_are('select pg_temp.messages()',
  array['draft 1 done', 'review 1 canceled', 'draft 2 pending'],
  'its message is canceled, and the new attempt alone is in the queue');
select rows_are($$ select state, resolved_at, resolution, resolved_by from striatumd.blockers
    where blocker_id = tap.id('blk', 'r') $$,
  $$ values ('resolved'::striatumd.blocker_state, '2026-01-02Z'::timestamptz, 'revision_reopened',
       tap.client_id('ada')) $$, 'what stood in the way of the attempt is resolved');
select rows_are($$ select workflow_job_id, a.attempt, outcome from striatumd.job_attempts a
    join striatumd.jobs using (job_id) where run_id = tap.id('run', 'r') order by ordinal $$,
  $$ values ('draft', 1, 'completed'), ('review', 1, 'reopened') $$,
  'the attempt that was under way ended by that, the one before it as it had');
select is(count(*), 1::bigint, 'what it published stays')
  from striatumd.artifacts where run_id = tap.id('run', 'r') and attempt = 1;
select rows_are($$ select event_type, job_id = tap.id('job', 'r.draft'),
      payload_json::jsonb ->> 'reason' from striatumd.events
    where run_id = tap.id('run', 'r') and event_type <> 'run.prepared' order by event_id $$,
  $$ values ('job.reopened', true, 'why'), ('job.queued', true, 'why') $$,
  'two events tell it');
select is(striatumd.run_fold_difference(tap.id('run', 'r')), null,
  'from which the tables can be made');
select is(striatumd.run_as_tabled(tap.id('run', 's')), was, 'a run beside it did not move')
  from neighbour;

-- what waits in the queue and was claimed by nobody
select pg_temp.reopen('draft');
select is(pg_temp.jobs(), 'draft queued 3 0, review pending 2 0, synthesis pending 1 0',
  'what is pending already stays at its attempt');
select rows_are('select pg_temp.messages()',
  array['draft 1 done', 'review 1 canceled', 'draft 2 canceled', 'draft 3 pending'],
  'what waited is canceled');

-- in the middle
select pg_temp.reopen('review');
select is(pg_temp.jobs(), 'draft queued 3 0, review pending 3 0, synthesis pending 1 0',
  'one whose input is not completed is not queued, and nothing before it moves');
select is(count(*), 4::bigint, 'nor is there a message') from pg_temp.messages();
select striatumd.append_events(jsonb_build_array(striatumd.run_event(tap.call(), 'job.completed',
  'test', striatumd.settle_job(tap.call(), tap.id('job', 'r.draft'), null, 'test', 'done',
    'completed'))));
select pg_temp.reopen('review');
select is(pg_temp.jobs(), 'draft completed 3 0, review queued 4 0, synthesis pending 1 0',
  'once it is, it is');

-- all the way down, from wherever
update striatumd.jobs set state = 'canceled' where job_id = tap.id('job', 'r.synthesis');
select is(tap.after($$ select pg_temp.reopen('draft') $$, 'select pg_temp.jobs()'),
  'draft queued 4 0, review pending 5 0, synthesis pending 2 0',
  'also what comes after what comes after it, however it ended');
update striatumd.jobs set state = 'pending' where job_id = tap.id('job', 'r.synthesis');
select is(striatumd.run_fold_difference(tap.id('run', 'r')), null, 'the events tell all of it');
select is(striatumd.run_as_tabled(tap.id('run', 's')), was, 'and the neighbour did not move')
  from neighbour;

select * from finish();
rollback;
