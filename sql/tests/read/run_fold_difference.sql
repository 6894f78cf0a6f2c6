-- The first thing in which the events of a run and its tables differ.
-- STR-DDD-05: so the tables are what the events make of them.
begin;
select plan(15);

-- given: a run that was told, and went on by steps that tell what they do
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('ann', 'author');
select tap.told();
create function pg_temp.difference(p_run text default 'r') returns text language sql as $$
  select striatumd.run_fold_difference(tap.id('run', p_run))
$$;
create function pg_temp.after(p_statement text) returns text language sql as $$
  select tap.after(p_statement, 'select pg_temp.difference()')
$$;
select is(pg_temp.difference(), null, 'a run that was told is as it was told');
select tap.leased('ann', 'r.draft');
select matches(pg_temp.difference(), '^job job_\w+ state: the events tell "queued", the table '
  '"running"$', 'and one that went on in silence is not');
create temp table lease as
  select lease_id, message_id, striatumd.lease_folded(l) as folded from striatumd.leases l;
select striatumd.append_events(jsonb_build_array(striatumd.run_event(tap.call(), 'job.claimed',
    'test', jsonb_build_array(
      striatumd.change('lease', lease_id, null, folded),
      striatumd.change('message', message_id, '{"state": "pending", "claim_count": 0}',
        '{"state": "acked", "claim_count": 1}'),
      striatumd.change('job', tap.id('job', 'r.draft'), '{"state": "queued"}',
        '{"state": "running"}'))))) from lease;
select is(pg_temp.difference(), null, 'until an event tells it');
select striatumd.append_events(jsonb_build_array(striatumd.run_event(tap.call(), 'job.completed',
    'test', striatumd.end_lease(tap.call(), lease_id, 'released', 'completed', 'done',
      'completed')))) from lease;
select striatumd.append_events(striatumd.queue_ready(tap.call(), tap.id('job', 'r.draft'), 'test'));
select striatumd.append_events(striatumd.reopen_job(tap.call(), tap.id('job', 'r.draft'), 'test'));
select striatumd.append_events(jsonb_build_array(striatumd.run_event(tap.call(), 'session.closed',
    'test', jsonb_build_array(
      striatumd.end_supervisor(tap.call(), tap.id('sup', 'ann'), 'stopped', 'test'),
      striatumd.end_session(tap.call(), tap.id('sess', 'ann'), 'closed', 'explicit', 'test')))));
select is(pg_temp.difference(), null, 'steps that end, queue, reopen and close tell all they do');

-- does: without any one event, something differs
set local session_replication_role = replica;
select isnt(pg_temp.after(format('delete from striatumd.events where event_id = %s', event_id)),
  null, 'without event ' || event_type) from striatumd.events order by event_id;
select is(pg_temp.after('update striatumd.events set payload_json = ''{}'' where event_id = 3')
  ~ '^event \d+ changes job \w+ state from "completed", and it was "running"$', true,
  'an event that lost its changes shows in the one that follows on it');

-- does: a row that went, and one that came
select matches(pg_temp.after('delete from striatumd.job_cycles'),
  '^cycle job_\w+ iterations: the events tell 0, the table has none$', 'a row that went');
select matches(pg_temp.after($$ insert into striatumd.sessions select tap.id('sess', 'x'),
    repository_id, run_id, role_id, lane_id, 9, 'active', null, null, registered_by, registered_at
    from striatumd.sessions $$), '^session sess_\w+ \w+: the events tell of none, the table ',
  'a row that came');

-- at the boundary: what no event carries
select is(pg_temp.after('update striatumd.leases set expires_at = expires_at + interval ''1 s'''),
  null, 'when a lease expires is no part of it');

select * from finish();
rollback;
