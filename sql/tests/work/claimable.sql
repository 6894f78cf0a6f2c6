-- Which message is a session's next.
-- STR-WORKFLOW-13: a lane takes its own work, and what is for any lane.
begin;
select plan(9);

-- given
select tap.open_door(), tap.run_stage(), tap.run_stage('s');
select tap.authorize();
select tap.session('one', 'author'), tap.session('critic', 'reviewer');
create function pg_temp.next(p_session text, p_is_any boolean default false) returns text
  language sql as $$
  select j.workflow_job_id from striatumd.queue_messages m join striatumd.jobs j using (job_id)
   where m.message_id = striatumd.claimable(tap.id('sess', p_session), p_is_any)
$$;

select is(pg_temp.next('one'), 'draft', 'the oldest of its role and lane');
select is(pg_temp.next('critic'), null, 'not another role''s');
select tap.queued('r.synthesis');
select is(pg_temp.next('one'), 'draft', 'not a younger one');
update striatumd.queue_messages set lane_id = 'elsewhere'
 where job_id = tap.id('job', 'r.draft');
select is(pg_temp.next('one'), 'synthesis', 'not another lane''s');
update striatumd.queue_messages set lane_id = null where job_id = tap.id('job', 'r.draft');
select is(pg_temp.next('one'), 'draft', 'but one for any lane');
update striatumd.jobs set attempt = 2 where job_id = tap.id('job', 'r.draft');
select is(pg_temp.next('one'), 'synthesis', 'not one of an earlier attempt');
update striatumd.queue_messages set is_fresh = true where job_id = tap.id('job', 'r.synthesis');
select is(pg_temp.next('one'), 'synthesis', 'a fresh one, while it held no packet');
update striatumd.jobs set attempt = 1 where job_id = tap.id('job', 'r.draft');
select tap.leased('one', 'r.draft');
select is(pg_temp.next('one'), null, 'and not afterwards');
select is(pg_temp.next('one', true), 'synthesis', 'though it is there');

select * from finish();
rollback;
