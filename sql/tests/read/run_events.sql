-- run.events: what happened in a run, in order.
begin;
select plan(22);

-- given: a run whose draft was queued, claimed and completed; and a neighbour
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author');
select tap.told();
select tap.told('s');
select tap.leased('ann', 'r.draft');
create temp table lease as select lease_id, message_id, job_id from striatumd.leases;
select striatumd.append_events(jsonb_build_array(striatumd.run_event(tap.call(), 'job.completed',
    'all is there', striatumd.end_lease(tap.call(), lease_id, 'released', 'completed', 'done',
      'completed'), jsonb_build_object('job_id', job_id, 'lease_id', lease_id)))) from lease;
select striatumd.append_events(striatumd.queue_ready(tap.call(), job_id, 'draft completed'))
  from lease;
create function pg_temp.ask(p_params jsonb default '{}', p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'run.events', jsonb_build_object('repository_id', tap.id('repo', 'app'),
    'run_id', tap.id('run', 'r')) || p_params)
$$;
create temp table all_of_it as select pg_temp.ask() -> 'data' as data;

-- does
select is(jsonb_path_query_array(data, '$.events[*].type'),
  '["run.prepared", "job.completed", "job.queued"]', 'the events of the run, in order')
  from all_of_it;
select is(jsonb_path_query_array(data, '$.events[*].event_id'), '["1", "3", "4"]',
  'by their numbers in the repository, as strings') from all_of_it;
select is(data #> '{events,1}', jsonb_build_object('event_id', '3', 'type', 'job.completed',
    'at', striatumd.utc_micros(recorded_at), 'job', 'draft', 'attempt', 1,
    'session', 'author-author-1', 'lease_id', lease.lease_id, 'reason', 'all is there',
    'by', tap.client_id('ada'), 'changes', jsonb_build_array(
      format('lease %s active -> released', lease.lease_id),
      format('message %s acked -> done', lease.message_id), 'job draft running -> completed')),
  'each with what it is about, what it changed, why and by whom')
  from all_of_it, lease, striatumd.events e where e.event_id = 3;
select is(data #> '{events,2,changes,0}', '"job review pending -> queued"', 'a job by its name')
  from all_of_it;
select is(data -> 'next_after_event_id', 'null', 'all of it') from all_of_it;
select is(data -> 'next', '[]', 'is a page without a next one') from all_of_it;

-- does: a page
select is(jsonb_path_query_array(reply, '$.data.events[*].event_id') || jsonb_build_array(
    reply #> '{data,next_after_event_id}'), answer, 'asked with ' || params::text)
  from (values ('{"limit": 1}'::jsonb, '["1", "1"]'::jsonb), ('{"limit": 2}', '["1", "3", "3"]'),
    ('{"limit": 3}', '["1", "3", "4", null]'),
    ('{"limit": 1, "after_event_id": "1"}', '["3", "3"]'),
    ('{"after_event_id": "4"}', '[null]')) as pages (params, answer),
  lateral pg_temp.ask(params) as reply;
select is(pg_temp.ask('{"limit": 1}') #> '{data,next}', jsonb_build_array(format(
  'striatum run events %s --after-event-id 1', tap.id('run', 'r'))), 'and how to ask for the next');

-- does: a session sees its own run
select is(tap.code(pg_temp.ask('{}', 'ann')), 'ok', 'a lane reads its run');

-- does: waits, while there is nothing yet
create function pg_temp.waits(p_params jsonb, p_run text default 'r') returns text
  language plpgsql as $$
declare
  v_detail text;
begin
  return coalesce(jsonb_array_length(pg_temp.ask(p_params || jsonb_build_object('run_id',
    tap.id('run', p_run))) #> '{data,events}')::text, 'refused');
exception when sqlstate 'ST002' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return concat_ws(' ', sqlerrm, v_detail);
end
$$;
select is(pg_temp.waits('{"after_event_id": "4", "wait_ms": 5}'), 'wait events:'
  || tap.id('run', 'r'), 'nothing after that event yet: it waits for what happens in the run');
select is(pg_temp.waits('{"after_event_id": "3", "wait_ms": 5}'), '1',
  'what there is, is answered');
select is(pg_temp.waits('{"after_event_id": "4", "wait_ms": 0}'), '0',
  'who does not wait is answered');
select is(pg_temp.waits('{"after_event_id": "4"}'), '0', 'nor who says nothing of it');
create temp table final as select tap.ask('ada', 'run.events', jsonb_build_object('repository_id',
  tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'), 'after_event_id', '4', 'wait_ms', 5), '{}',
  '{"is_final": true}') as reply;
select is(reply #> '{data,events}', '[]', 'at the end of it the page is empty') from final;
select is(reply -> 'wakes', '[]', 'and nobody is woken') from final;
select is(tap.after($$ select tap.ended('r', 'failed') $$,
  $$ select pg_temp.waits('{"after_event_id": "4", "wait_ms": 5}') $$), '0',
  'in a run that has ended nothing is waited for');

-- refuses
select is(tap.code(pg_temp.ask(jsonb_build_object('run_id', tap.id('run', 's')), 'ann')),
  'run_not_found', 'and no other');
select is(tap.code(pg_temp.ask('{"run_id": "run_0000000000000000"}')), 'run_not_found',
  'a run that there is not');

select * from finish();
rollback;
