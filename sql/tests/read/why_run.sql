-- What a run waits for.
begin;
select plan(11);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
create function pg_temp.is_why(p_waits jsonb, p_next jsonb, p_says text) returns setof text
  language sql as $$
  select is(striatumd.why_run(tap.id('run', 'r')) -> 'waits_for', p_waits, p_says)
  union all
  select is(striatumd.why_run(tap.id('run', 'r')) -> 'next', p_next
    || jsonb_build_array('striatum run summary ' || tap.id('run', 'r')), p_says || ': what to do')
$$;

-- does
select * from pg_temp.is_why('["job draft is queued"]', jsonb_build_array(
  'striatum run drive ' || tap.id('run', 'r'),
  format('striatum session register %s author author', tap.id('run', 'r'))), 'running');
select is(tap.after($$ select tap.session('ann', 'author') $$,
    $$ select striatumd.why_run(tap.id('run', 'r')) ->> 'waits_for' $$),
  '["job draft is queued", "the agent of session author-author-1 has claimed nothing since '
  '2026-01-01T00:00:00.000000Z"]', 'with an agent that does not ask');
select striatumd.open_blocker(tap.call(), null, 'blocked', 'gate.failed', 'Nobody vouched', '{}');
update striatumd.runs set state = 'needs_operator', stop_reason = 'provenance_gate_failed';
select pg_temp.is_why('["an operator has to look at it: provenance_gate_failed",
    "job draft is queued", "gate.failed: Nobody vouched"]',
  jsonb_build_array('striatum why ' || blocker_id), 'that needs an operator')
  from striatumd.blockers;
update striatumd.blockers set state = 'resolved', resolved_at = '2026-01-02Z', resolution = 'x',
    resolved_by = 'ada';
update striatumd.runs set state = 'ready', started_at = null;
select * from pg_temp.is_why('["nobody has started it"]',
  jsonb_build_array('striatum run start ' || tap.id('run', 'r')), 'ready');
update striatumd.runs set state = 'needs_branch_confirmation';
select * from pg_temp.is_why('["nobody has confirmed branch striatum/r"]',
  jsonb_build_array('striatum branch confirm ' || tap.id('run', 'r')), 'whose branch waits');
update striatumd.runs set started_at = '2026-01-01Z';
select tap.ended('r', 'failed');
select * from pg_temp.is_why('["it ended 2026-01-03T00:00:00.000000Z, job_failed"]', '[]',
  'that ended');

select * from finish();
rollback;
