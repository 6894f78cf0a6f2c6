-- When a run ends, when it is handed to an operator, and when it goes on.
-- STR-RUN-02, STR-RUN-03, STR-RUN-04: failed, completed, canceled by its jobs.
-- STR-RUN-05, STR-RUN-07, STR-RUN-08: what a review gate wants.
-- STR-RUN-09, STR-RUN-10: one escalation that names the gates; resolved, completion is tried again.
-- STR-RUN-11: the completion mode says whether an override was needed.
begin;
select plan(34);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('a', 'author');
select tap.session('rev', 'reviewer');
create function pg_temp.call() returns striatumd.call_context language sql as $$
  select jsonb_populate_record(null::striatumd.call_context, jsonb_build_object('client_id',
    tap.client_id('ada'), 'repository_id', tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'),
    'at', '2026-02-01Z'))
$$;
create function pg_temp.jobs(p_states text) returns void language sql as $$
  update striatumd.jobs set state = (string_to_array(p_states, ' '))[ordinal]::striatumd.job_state
   where run_id = tap.id('run', 'r')
$$;
create function pg_temp.verdict(p_verdict text, p_attestation text, p_more jsonb default '{}')
  returns void language plpgsql as $$
begin
  execute tap.row_of('verdicts', jsonb_build_object('verdict_id', striatumd.new_id('verd'),
    'verdict_number', 1 + (select count(*) from striatumd.verdicts),
    'repository_id', tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'),
    'job_id', tap.id('job', 'r.review'), 'attempt', 1, 'session_id', tap.id('sess', 'rev'),
    'lease_id', tap.id('lease', 'x'), 'verdict', p_verdict, 'posture', 'neutral',
    'basis', 'review', 'lane_attestation_at_record', p_attestation, 'recorded_by', 'x',
    'recorded_at', '2026-01-02Z'), p_more);
end
$$;
-- what a run that is in this situation comes to: `<state> <events>`
create function pg_temp.comes_to(p_given text, p_seen jsonb default null) returns text
  language plpgsql as $$
declare
  v_call   striatumd.call_context := pg_temp.call();
  v_events jsonb;
  v_answer text;
begin
  execute p_given;
  v_call.observed := case when p_seen is not null then tap.copies(p_seen) end;
  v_events := striatumd.maybe_complete_run(v_call);
  select concat_ws(' ', state, stop_reason, completion_mode,
           (select string_agg(e ->> 'event_type', ' ' order by n)
              from jsonb_array_elements(v_events) with ordinality as x (e, n)))
    into v_answer from striatumd.runs where run_id = tap.id('run', 'r');
  raise exception using errcode = 'TAP00';
exception when sqlstate 'TAP00' then
  return v_answer;
end
$$;

-- what it comes to with a draft that was published, and these copies of it, all else being well
create function pg_temp.with_draft(p_seen jsonb, p_and text default 'select 1') returns text
  language sql as $$
  select pg_temp.comes_to(concat($sql$ select pg_temp.jobs('completed canceled canceled');
    select tap.published('a', 'r.draft'); $sql$, p_and), p_seen)
$$;

-- goes on
select is(pg_temp.comes_to('select 1'), 'running', 'a run with work to do runs on');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed pending') $$), 'running',
  'also where one job is left');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed waiting_human canceled') $$),
  'running', 'or somebody is asked');

-- what it has to leave
select is(pg_temp.with_draft('{}'), 'completed lanes_attested run.completed session.closed '
  'session.closed', 'B053: a run whose artifacts are there is completed');
select is(pg_temp.with_draft('{"state": "missing"}'),
  'needs_operator artifact_unreachable run.escalated', 'one whose artifact is gone is not');
select is(pg_temp.with_draft(null), 'needs_operator artifact_unreachable run.escalated',
  'nor one whose artifacts nobody looked at');
select is(pg_temp.with_draft('{"state": "missing"}', $$ select striatumd.open_blocker(tap.call(),
    null, 'human_checkpoint', 'artifact_unreachable', 'x', '{}');
  select striatumd.resolve_blocker(tap.call(), blocker_id, 'override') from striatumd.blockers $$),
  'completed operator_override run.completed session.closed session.closed',
  'unless an operator does without it');

-- ends
select is(pg_temp.comes_to($$ select pg_temp.jobs('failed pending pending') $$),
  'failed job_failed run.failed session.closed session.closed', 'a failed job fails the run');
select is(pg_temp.comes_to($$ select pg_temp.jobs('canceled skipped canceled') $$),
  'canceled all_jobs_canceled run.canceled session.closed session.closed',
  'where nothing was completed the run is canceled');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed completed');
    select pg_temp.verdict('accept', 'attested') $$),
  'completed lanes_attested run.completed session.closed session.closed',
  'with an attested verdict that accepts it is completed');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed completed');
    select pg_temp.verdict('accept_with_findings', 'attested') $$),
  'completed lanes_attested run.completed session.closed session.closed', 'with findings too');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed canceled skipped') $$),
  'completed lanes_attested run.completed session.closed session.closed',
  'a job that was canceled is no gate');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed completed');
    select pg_temp.verdict('accept', null, '{"basis": "checkpoint_override", "session_id": null,
      "lease_id": null}') $$),
  'completed operator_override run.completed session.closed session.closed',
  'an override clears the gate, and is said');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed completed');
    select pg_temp.verdict('accept', 'unattested', '{"posture": "override"}') $$),
  'needs_operator provenance_gate_failed run.escalated',
  'a review whose posture a workflow calls so is none');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed completed');
    update striatumd.jobs set is_fresh = false;
    select pg_temp.verdict('accept', 'unattested') $$),
  'completed lanes_attested run.completed session.closed session.closed',
  'a gate that wants no provenance takes any verdict that accepts');

-- is handed over
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed completed') $$),
  'needs_operator provenance_gate_failed run.escalated', 'without a verdict');
select is(pg_temp.comes_to(format($f$ select pg_temp.jobs('completed completed completed');
    select pg_temp.verdict('%s', %L) $f$, verdict, attestation)),
  'needs_operator provenance_gate_failed run.escalated',
  concat('with ', verdict, ' of a lane ', coalesce(attestation, 'of which nothing is known')))
  from (values ('accept', 'unattested'), ('accept', null), ('reject', 'attested'),
    ('needs_revision', 'attested')) as v (verdict, attestation);
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed completed');
    update striatumd.jobs set is_fresh = false;
    select pg_temp.verdict('reject', 'attested') $$),
  'needs_operator provenance_gate_failed run.escalated', 'also where no provenance is wanted');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed completed');
    update striatumd.jobs set is_fresh = false,
      spec = spec || '{"require_attested_lane": true}';
    select pg_temp.verdict('accept', 'unattested') $$),
  'needs_operator provenance_gate_failed run.escalated', 'or the workflow wants it by name');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed completed');
    update striatumd.jobs set attempt = 2 where ordinal = 2;
    select pg_temp.verdict('accept', 'attested') $$),
  'needs_operator provenance_gate_failed run.escalated', 'an earlier attempt''s verdict is none');
select is(pg_temp.comes_to($$ select pg_temp.jobs('completed completed completed');
    select pg_temp.verdict('accept', 'attested'); select pg_temp.verdict('reject', 'attested') $$),
  'needs_operator provenance_gate_failed run.escalated', 'the newest verdict counts');

-- the escalation
select pg_temp.jobs('completed completed completed');
create temp table escalated as select striatumd.maybe_complete_run(pg_temp.call()) as events;
select rows_are(
  $$ select kind, severity::text, job_id, description, payload_json::jsonb -> 'schema_version',
            payload_json::jsonb #>> '{gates,0,workflow_job_id}',
            payload_json::jsonb #>> '{gates,0,problem}' from striatumd.blockers $$,
  $$ values ('provenance_gate_failed', 'human_checkpoint', null,
             'the run cannot complete: review (verdict_missing)',
             '"striatum.blocker_payload.v1"'::jsonb, 'review', 'verdict_missing') $$,
  'one blocker names the gates that are not cleared');
select is(jsonb_path_query_array(events, '$[0].payload.changes[*].of'), '["run", "blocker"]',
  'its event has both changes') from escalated;
select is(striatumd.maybe_complete_run(pg_temp.call()), '[]', 'while it is open nothing happens');
select is((select count(*) from striatumd.blockers), 1::bigint, 'and no second one opens');
create function pg_temp.resolve(p_resolution text) returns text language sql as $$
  select format($f$ select striatumd.resolve_blocker(pg_temp.call(), blocker_id, '%s')
                      from striatumd.blockers; $f$, p_resolution)
$$;
select is(pg_temp.comes_to(pg_temp.resolve('override')),
  'completed operator_override run.completed session.closed session.closed',
  'an operator''s override completes the run');
select is(pg_temp.comes_to(pg_temp.resolve('continue')
    || $$ select pg_temp.verdict('accept', 'attested') $$),
  'completed lanes_attested run.completed session.closed session.closed',
  'so does a verdict that came meanwhile');
select is(pg_temp.comes_to(pg_temp.resolve('continue')),
  'needs_operator provenance_gate_failed run.escalated', 'with nothing new it is escalated again');
select is(pg_temp.comes_to(pg_temp.resolve('job_retried')
    || $$ select pg_temp.jobs('completed queued pending') $$),
  'running run.resumed', 'and where work is left the run runs on');

-- at the boundary
select is(pg_temp.comes_to($$ update striatumd.blockers set state = 'resolved', resolved_at = now(),
    resolution = 'x', resolved_by = 'x'; select striatumd.end_run(pg_temp.call(), 'canceled',
    'canceled_by_operator', null) $$), 'canceled canceled_by_operator',
  'what has ended stays as it is');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.maybe_complete_run(pg_temp.call()) $$, '28000',
  'daemon_authority_missing', 'nothing ends without the daemon''s secret');

select * from finish();
rollback;
