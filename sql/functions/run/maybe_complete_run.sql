-- Ends the run of a call where nothing is left to do in it, or hands it to an operator where its
-- reviews do not prove what they have to. Every step that moves a job to an end calls this. The
-- answer is the events; none where the run goes on.
--
-- Keeps:   a run completes only where every review gate is cleared
--          one escalation is open at a time; once it is resolved, completion is tried again, and a
--          run in which there is something to do again runs on
-- Locks:   the run's row
-- Events:  run.completed, run.failed, run.canceled, with session.closed; run.escalated; run.resumed
create function striatumd.maybe_complete_run(p_call striatumd.call_context) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before  striatumd.runs;
  v_run     striatumd.runs;
  v_gates   jsonb;
  v_failing jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_before from striatumd.runs where run_id = p_call.run_id for update;
  if v_before.state not in ('running', 'needs_operator')
     or exists (select from striatumd.blockers
                 where run_id = v_before.run_id and job_id is null and state = 'open') then
    return '[]'::jsonb;
  end if;

  -- change
  if exists (select from striatumd.jobs where run_id = v_before.run_id and state = 'failed') then
    return striatumd.end_run(p_call, 'failed', 'job_failed', null);
  end if;
  if exists (select from striatumd.jobs where run_id = v_before.run_id
                and state not in ('completed', 'failed', 'canceled', 'skipped')) then
    if v_before.state = 'running' then
      return '[]'::jsonb;
    end if;
    update striatumd.runs set state = 'running', stop_reason = null
     where run_id = v_before.run_id returning * into v_run;
    return jsonb_build_array(striatumd.run_event(p_call, 'run.resumed', 'work is left',
      jsonb_build_array(striatumd.moved('run', v_run.run_id, striatumd.run_folded(v_before),
        striatumd.run_folded(v_run)))));
  end if;
  if not exists (select from striatumd.jobs
                  where run_id = v_before.run_id and state = 'completed') then
    return striatumd.end_run(p_call, 'canceled', 'all_jobs_canceled', null);
  end if;
  v_gates := striatumd.review_gates(v_before.run_id);
  v_failing := jsonb_path_query_array(v_gates, '$[*] ? (@.problem != null)');
  if v_failing = '[]' then
    return striatumd.end_run(p_call, 'completed', null,
      case when v_gates @? '$[*] ? (@.cleared_by == "override")' then 'operator_override'
        else 'lanes_attested' end::striatumd.completion_mode);
  end if;
  update striatumd.runs set state = 'needs_operator', stop_reason = 'provenance_gate_failed'
   where run_id = v_before.run_id returning * into v_run;
  return jsonb_build_array(striatumd.run_event(p_call, 'run.escalated', 'provenance_gate_failed',
    jsonb_build_array(
      striatumd.moved('run', v_run.run_id, striatumd.run_folded(v_before),
        striatumd.run_folded(v_run)),
      striatumd.open_blocker(p_call, null, 'human_checkpoint', 'provenance_gate_failed',
        left('the run cannot complete: ' || (
          select string_agg(concat(g ->> 'workflow_job_id', ' (', g ->> 'problem', ')'), ', ')
            from jsonb_array_elements(v_failing) as g), 2000),
        jsonb_build_object('schema_version', 'striatum.blocker_payload.v1',
          'gates', v_failing))),
    '{}', jsonb_build_object('failing_gates', jsonb_array_length(v_failing))));
end
$$;
