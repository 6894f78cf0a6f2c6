-- How a job comes into the queue.
begin;
select plan(5);

-- given
select tap.open_door(), tap.run_stage(), tap.session('one', 'author'), tap.authorize();
create temp table said as select striatumd.queue_job(
    (tap.client_id('ada'), null, tap.id('sess', 'one'),
    tap.id('repo', 'app'), tap.id('run', 'r'), null, null, null,
    '2026-11-30T10:00:00Z')::striatumd.call_context, tap.id('job', 'r.review'),
  'the draft is there') as event;

select is((event -> 'payload') #- '{changes,1,id}', jsonb_build_object('reason',
  'the draft is there', 'by', tap.client_id('ada'), 'changes', jsonb_build_array(
    jsonb_build_object('of', 'job', 'id', tap.id('job', 'r.review'), 'from',
      '{"state": "pending"}'::jsonb, 'to', '{"state": "queued"}'::jsonb),
    jsonb_build_object('of', 'message', 'from', null, 'to', jsonb_build_object('job_id',
      tap.id('job', 'r.review'), 'attempt', 1, 'role_id', 'reviewer', 'lane_id', 'reviewer',
      'is_fresh', true, 'state', 'pending', 'claim_count', 0, 'queued_at',
      '2026-11-30T10:00:00.000000Z')))), 'as one event') from said;
select is(event ->> 'event_type', 'job.queued', 'of its own type') from said;
select is((select message_id::text from striatumd.queue_messages
            where job_id = tap.id('job', 'r.review')), event ->> 'message_id',
  'that names the message') from said;
select throws_ok($$ select striatumd.queue_job(
    (tap.client_id('ada'), null, tap.id('sess', 'one'),
    tap.id('repo', 'app'), tap.id('run', 'r'), null, null, null,
    '2026-11-30T10:00:00Z')::striatumd.call_context, tap.id('job', 'r.review'), 'x') $$,
  '23505', null, 'once');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.queue_job(null, null, null)', '28000',
  'daemon_authority_missing', 'not without the daemon''s secret');

select * from finish();
rollback;
