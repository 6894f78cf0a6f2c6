-- run.retry_job: what is opened again, and what with it.
-- STR-RUN-20: nothing of a run that has ended, so that no review is invalidated any more.
begin;
select plan(18);

-- given
select tap.open_door();
select tap.run_stage();
create function pg_temp.jobs(p_states text) returns void language sql as $$
  update striatumd.queue_messages set state = 'done' where run_id = tap.id('run', 'r');
  update striatumd.jobs set state = (string_to_array(p_states, ' '))[ordinal]::striatumd.job_state
   where run_id = tap.id('run', 'r')
$$;
create function pg_temp.retry(p_job text, p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'run.retry_job', jsonb_build_object('repository_id',
    tap.id('repo', 'app'), 'job_id', tap.id('job', p_job), 'reason', 'misled'))
$$;

-- does
select pg_temp.jobs('completed canceled pending');
create temp table again as select pg_temp.retry('r.review') as reply;
select is(reply -> 'data', jsonb_build_object('run_id', tap.id('run', 'r'), 'job_id',
  tap.id('job', 'r.review'), 'workflow_job_id', 'review', 'state', 'queued', 'attempt', 2),
  'a canceled job is queued once more') from again;
select rows_are($$ select event_type, job_id, payload_json::jsonb ->> 'reason'
  from striatumd.events order by event_id $$,
  format($$ values ('job.retried', %1$L, 'misled'), ('job.reopened', %1$L, 'misled'),
    ('job.queued', %1$L, 'misled') $$, tap.id('job', 'r.review')), 'and events say why');
select is((select state::text from striatumd.jobs where job_id = tap.id('job', 'r.draft')),
  'completed', 'what came before it stays');

select pg_temp.jobs('completed completed completed');
select is(pg_temp.retry('r.draft') #>> '{data,attempt}', '2',
  'a completed job that a cycle leads back to is opened again');
select rows_are($$ select state::text, attempt from striatumd.jobs order by ordinal $$,
  $$ values ('queued', 2), ('pending', 3), ('pending', 2) $$, 'with all that came after it');

-- a run that waits for an operator
select pg_temp.jobs('completed completed completed');
update striatumd.runs set state = 'needs_operator', stop_reason = 'provenance_gate_failed';
select tap.authorize();
select striatumd.open_blocker(jsonb_populate_record(null::striatumd.call_context,
  jsonb_build_object('repository_id', tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'),
    'at', '2026-02-01Z')), null, 'human_checkpoint', 'provenance_gate_failed', 'x', '{}');
select is(tap.code(pg_temp.retry('r.draft')), 'ok', 'a job of a run that waits for an operator');
select is((select concat_ws(' ', state, stop_reason) from striatumd.runs), 'running',
  'lets it run on');
select is((select concat_ws(' ', state, resolution) from striatumd.blockers),
  'resolved job_retried', 'B038: and resolves what it waited for');
select is((select array_agg(event_type::text order by event_id) from striatumd.events
            where event_id > 6), '{job.retried,job.reopened,job.queued,run.resumed}',
  'in this order');

-- refuses
create temp table before as select count(*) as n from striatumd.events;
select is(tap.code(pg_temp.retry('r.draft')), 'job_not_retriable', 'a job that is queued');
select pg_temp.jobs('completed completed running');
select is(tap.code(pg_temp.retry('r.review')), 'job_not_retriable',
  'a completed one that no cycle leads back to');
select is(tap.code(pg_temp.retry('r.synthesis')), 'job_not_retriable', 'one that is worked on');
select is(tap.code(pg_temp.retry('r.none')), 'job_not_found', 'one that there is not');
select pg_temp.jobs('canceled canceled canceled');
update striatumd.runs set state = 'ready', started_at = null;
select is(tap.code(pg_temp.retry('r.draft')), 'run_not_running', 'one of a run not started');
select is(tap.after($$ update striatumd.runs set started_at = '2026-01-02Z';
    select pg_temp.jobs('completed completed completed'), tap.ended('r', 'completed') $$,
  $$ select tap.code(pg_temp.retry('r.review')) $$),
  'run_not_running', 'a completed review of a completed one');
update striatumd.runs set state = 'canceled', stop_reason = 'all_jobs_canceled',
  completion_record_json = '{}', completion_record_sha256 = repeat('0', 64), finished_at = now();
select is(tap.code(pg_temp.retry('r.draft')), 'run_not_running', 'or that has ended');
select tap.client('bob', '{read}');
select is(tap.code(pg_temp.retry('r.draft', 'bob')), 'capability_missing', 'who only reads');
select is((select count(*) from striatumd.events), n, 'none of that is an event') from before;

select * from finish();
rollback;
