-- Ends the run of a call where nothing is left to do in it, or hands it to an operator where its
-- reviews do not prove what they have to, or what it has to leave is not there. Every step that
-- moves a job to an end calls this. The answer is the events; none where the run goes on.
--
-- Keeps:   a run completes only where every review gate is cleared, and every artifact that a job
--          had to publish was seen as it was published, or an operator did without it
--          one escalation is open at a time; once it is resolved, completion is tried again, and a
--          run in which there is something to do again runs on
-- Locks:   the run's row
-- Events:  run.completed, run.failed, run.canceled, with session.closed; run.escalated; run.resumed
create function striatumd.maybe_complete_run(p_call striatumd.call_context) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before    striatumd.runs;
  v_run       striatumd.runs;
  v_gates     jsonb;
  v_failing   jsonb;
  v_lost      jsonb;
  v_is_waived boolean;
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
  if v_failing <> '[]' then
    return striatumd.escalate_run(p_call, 'provenance_gate_failed',
      'the run cannot complete: ' || (
        select string_agg(concat(g ->> 'workflow_job_id', ' (', g ->> 'problem', ')'), ', ')
          from jsonb_array_elements(v_failing) as g), jsonb_build_object('gates', v_failing));
  end if;
  v_is_waived := exists (
    select from striatumd.blockers
     where run_id = v_before.run_id and job_id is null and kind = 'artifact_unreachable'
       and resolution = 'override');
  v_lost := striatumd.lost_artifacts(p_call, null);
  if v_lost <> '[]' and not v_is_waived then
    return striatumd.escalate_run(p_call, 'artifact_unreachable',
      'what the run has to leave is not there as it was published: ' || (
        select string_agg(concat(a ->> 'path', ' (', a ->> 'readback', ')'), ', ')
          from jsonb_array_elements(v_lost) as a), jsonb_build_object('artifacts', v_lost));
  end if;
  return striatumd.end_run(p_call, 'completed', null,
    case when v_is_waived or v_gates @? '$[*] ? (@.cleared_by == "override")'
      then 'operator_override' else 'lanes_attested' end::striatumd.completion_mode);
end
$$;
