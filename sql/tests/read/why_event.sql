-- What brought it about that work goes back or stops.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('ann', 'author', p_supervisor => 'stopped');
select tap.told();
create function pg_temp.cause_of(p_change text) returns text language sql as $$
  select tap.after('update striatumd.process_supervisors set ' || p_change, $sql$
    select striatumd.why_event('lease.expired', 'owner_gone', tap.id('run', 'r'), 2,
      tap.id('sess', 'ann')) $sql$)
$$;

-- does
select is(pg_temp.cause_of('exit_signal = 9'), 'agent ended (signal 9)',
  'an agent that was killed');
select is(pg_temp.cause_of('exit_code = 3'), 'agent ended (exit code 3)', 'that ended by itself');
select is(pg_temp.cause_of('state = ''lost'''), 'agent gone', 'of which nobody knows how');
select striatumd.append_events(jsonb_build_array(striatumd.run_event(tap.call(),
  'revision.cycle_routed', 'needs_revision', '[]',
  jsonb_build_object('job_id', tap.id('job', 'r.review')),
  '{"from_workflow_job_id": "review"}')));
select is(striatumd.why_event('job.reopened', 'needs_revision', tap.id('run', 'r'),
    e.event_id + 1, null), 'needs_revision by review', 'a review that sends work back')
  from striatumd.events e where e.event_type = 'revision.cycle_routed';
select is(striatumd.why_event('job.reopened', 'misled', tap.id('run', 'r'), e.event_id + 2, null),
  null, 'what somebody else opens again tells its reason alone')
  from striatumd.events e where e.event_type = 'revision.cycle_routed';
select is(striatumd.why_event('job.completed', 'accept', tap.id('run', 'r'), 2,
  tap.id('sess', 'ann')), null, 'what goes on needs no cause');

select * from finish();
rollback;
