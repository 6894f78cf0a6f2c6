-- run.events: what happened in a run, in order, so many events at a time: each with its instant,
-- what it is about, what it changed in short, why and by whom, and of work that goes back what
-- brought that about. Where there is nothing after the
-- event named, it is waited for as long as the caller says.
--
-- Errors: run_not_found  there is no such run in the repository, or it is not the session's own
create function striatumd.run_events(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_run    striatumd.runs;
  v_after  bigint := coalesce((p ->> 'after_event_id')::bigint, 0);
  v_limit  integer := coalesce((p ->> 'limit')::integer, 200);
  v_events jsonb;
  v_last   text;
  v_decision striatumd.decision;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  v_run := striatumd.run_to_read(p_call, p ->> 'run_id');
  with page as (
    select e.*, e.payload_json::jsonb as payload from striatumd.events e
     where e.run_id = v_run.run_id and e.event_id > v_after
     order by e.event_id limit v_limit + 1),
  shown as (
    select page.event_id, jsonb_build_object('event_id', page.event_id::text,
             'at', striatumd.utc_micros(page.recorded_at), 'type', page.event_type,
             'job', j.workflow_job_id, 'attempt', coalesce(l.attempt, m.attempt),
             'session', nullif(concat_ws('-', s.role_id, s.lane_id, s.ordinal), ''),
             'lease_id', page.lease_id, 'changes', coalesce((
               select jsonb_agg(striatumd.change_shown(c.value, named.workflow_job_id) order by n)
                 from jsonb_array_elements(page.payload -> 'changes')
                      with ordinality as c (value, n)
                 left join striatumd.jobs named on named.job_id = c.value ->> 'id'), '[]'),
             'reason', page.payload -> 'reason', 'by', page.payload -> 'by')
             || case when why.cause is null then '{}'
                  else jsonb_build_object('cause', why.cause) end as event
      from page
      left join striatumd.jobs j on j.job_id = page.job_id
      left join striatumd.leases l on l.lease_id = page.lease_id
      left join striatumd.queue_messages m on m.message_id = page.message_id
      left join striatumd.sessions s on s.session_id = coalesce(l.session_id, page.actor_session_id)
     cross join lateral striatumd.why_event(page.event_type, page.payload ->> 'reason',
       page.run_id, page.event_id, l.session_id) as why (cause)
     order by page.event_id limit v_limit)
  select coalesce(jsonb_agg(event order by event_id), '[]'),
         case when (select count(*) from page) > v_limit then max(event_id)::text end
    into v_events, v_last from shown;

  -- reply
  v_decision := striatumd.decided(jsonb_build_object('run_id', v_run.run_id, 'events', v_events,
    'next_after_event_id', v_last, 'next', case when v_last is null then '[]'::jsonb
      else jsonb_build_array(format('striatum run events %s --after-event-id %s', v_run.run_id,
        v_last)) end), '[]', '[]');
  if v_events = '[]' and v_run.finished_at is null and (p ->> 'wait_ms')::integer > 0 then
    v_decision.unsettled := 'wait';
    v_decision.wakes := jsonb_build_array('events:' || v_run.run_id);
  end if;
  return v_decision;
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('run.events', 'Show what happened in a run', 'read', 'single_repo', 'none', false, true, '{
  "type": "object", "additionalProperties": false, "required": ["run_id"],
  "properties": {
    "repository_id":  {"type": "string", "minLength": 1, "maxLength": 128,
                       "description": "The repository; that of the working directory"},
    "run_id":         {"type": "string", "minLength": 1, "maxLength": 128,
                       "description": "The run"},
    "after_event_id": {"type": "string", "pattern": "^[0-9]{1,18}$",
                       "description": "Only what came after this event"},
    "limit":          {"type": "integer", "minimum": 1, "maximum": 1000,
                       "description": "Events at most; 200 where left out"},
    "wait_ms":        {"type": "integer", "minimum": 0, "maximum": 600000,
                       "description": "How long to wait for one; not at all where left out"}}}',
  '{run_not_found}', '{run,events}', '{run_id}',
  '{events, event_id, at, type, job, attempt, session, changes, reason}',
  '{"striatum run events run_0123456789abcdef",
    "striatum run events run_0123456789abcdef --after-event-id 42 --limit 1000 --json"}');
