-- A stopped job in the queue again. What the blocker was: see checkpoint_resolve.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('s', 'author');
select tap.leased('s', 'r.draft', 'blocked');
update striatumd.leases set state = 'released', ended_at = now(), release_reason = 'blocked';
update striatumd.queue_messages set state = 'blocked';
create function pg_temp.call() returns striatumd.call_context language plpgsql as $$
declare
  v_call striatumd.call_context;
begin
  v_call.repository_id := tap.id('repo', 'app');
  v_call.run_id := tap.id('run', 'r');
  v_call.client_id := tap.client_id('ada');
  v_call.at := '2026-01-02Z';
  v_call.observed := '{}';
  return v_call;
end
$$;
create function pg_temp.resumed() returns text language sql as $$
  select string_agg(value ->> 'event_type', ' ' order by n)
    from jsonb_array_elements(striatumd.resume_job(pg_temp.call(), tap.id('job', 'r.draft'), 'why'))
         with ordinality as e (value, n)
$$;

-- does
update striatumd.jobs set requeues = 2;
select striatumd.open_blocker(tap.call(), tap.id('job', 'r.draft'), severity, 'x', 'x', '{}')
  from unnest('{blocked,human_checkpoint}'::striatumd.blocker_severity[]) as severity;
select is(pg_temp.resumed(), 'job.requeued', 'it is queued again');
select is((select requeues from striatumd.jobs where job_id = tap.id('job', 'r.draft')), 0,
  'B012: with a budget of its own');
select rows_are('select severity, state, resolution from striatumd.blockers order by severity',
  $$ values ('blocked', 'resolved', 'requeued'), ('human_checkpoint', 'open', null) $$,
  'B012: nothing but a person''s decision blocks it any more');
select rows_are($$ select j.state::text, j.attempt, m.state::text
    from striatumd.jobs j join striatumd.queue_messages m using (job_id) $$,
  $$ values ('queued', 1, 'pending') $$, 'by the message that it had');
select is(tap.after($$ update striatumd.queue_messages set state = 'canceled' $$,
  'select pg_temp.resumed()'), 'job.requeued job.queued', 'or by a new one');
select is(tap.after('update striatumd.leases set has_published = true',
  'select pg_temp.resumed()'), 'job.reopened job.queued', 'or for its next attempt');

select * from finish();
rollback;
