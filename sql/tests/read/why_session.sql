-- What a session waits for.
begin;
select plan(16);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('rev', 'reviewer', 'r', null);
create function pg_temp.is_why(p_session text, p_waits jsonb, p_next jsonb, p_says text)
  returns setof text language sql as $$
  select is(striatumd.why_session(tap.id('sess', p_session)) -> 'waits_for', p_waits, p_says)
  union all
  select is(striatumd.why_session(tap.id('sess', p_session)) -> 'next', p_next,
    p_says || ': what to do')
$$;

-- does
select * from pg_temp.is_why('rev', '["no agent was started for it"]', jsonb_build_array(
  'striatum supervise start --session-id ' || tap.id('sess', 'rev')), 'without an agent');
select tap.session('ann', 'author');
create function pg_temp.stop() returns text language sql as $$
  select format('striatum supervise stop --session-id %s --reason TEXT', tap.id('sess', 'ann'))
$$;
select * from pg_temp.is_why('ann', '["job draft is in the queue for it",
  "its agent has claimed nothing since 2026-01-01T00:00:00.000000Z"]',
  jsonb_build_array('striatum why ' || tap.id('job', 'r.draft'), pg_temp.stop()),
  'with work in the queue');
select tap.leased('ann', 'r.draft', 'claimed');
update striatumd.leases set acquired_at = '2026-01-02Z';
select * from pg_temp.is_why('ann', '["it holds job draft since 2026-01-02T00:00:00.000000Z, '
  'and has not acknowledged it"]', jsonb_build_array('striatum why ' || tap.id('job', 'r.draft'),
    pg_temp.stop()), 'with work that it has not accepted');
update striatumd.jobs set state = 'running' where job_id = tap.id('job', 'r.draft');
select * from pg_temp.is_why('ann', '["it holds job draft since 2026-01-02T00:00:00.000000Z"]',
  jsonb_build_array('striatum why ' || tap.id('job', 'r.draft')), 'at work');
update striatumd.process_supervisors set state = 'lost', ended_at = '2026-01-02Z';
select * from pg_temp.is_why('ann', '["it holds job draft since 2026-01-02T00:00:00.000000Z",
  "its agent is lost"]',
  jsonb_build_array('striatum why ' || tap.id('job', 'r.draft'),
    'striatum supervise start --session-id ' || tap.id('sess', 'ann')), 'whose agent is lost');
update striatumd.process_supervisors set state = 'starting', ended_at = null;
update striatumd.leases set state = 'released', ended_at = '2026-01-03Z',
       release_reason = 'x';
select * from pg_temp.is_why('ann', '["its agent is being started"]', '[]', 'that starts');
update striatumd.process_supervisors set state = 'attached';
select * from pg_temp.is_why('ann', '["no work for its role and lane is in the queue",
  "its agent has claimed nothing since 2026-01-03T00:00:00.000000Z"]',
  jsonb_build_array('striatum status --run-id ' || tap.id('run', 'r')), 'without work');
select striatumd.end_session(tap.call(), tap.id('sess', 'ann'), 'closed', 'explicit', 'enough');
select * from pg_temp.is_why('ann', jsonb_build_array('it is closed since '
    '2026-01-02T00:00:00.000000Z, explicit, enough'), jsonb_build_array(format(
    'striatum session register %s author author', tap.id('run', 'r'))), 'that ended');

select * from finish();
rollback;
