-- Ends the run of a call. What it has come to is frozen before its sessions are closed: all that
-- hold no lease. Where it is canceled, all open work ends with it. The answer is the events.
--
-- Keeps:   the completion record is written once, with the state that it belongs to
-- Note:    the agents of closed sessions are ended by stop_agents, for whoever may order effects
-- Locks:   the run's row; the sessions, in the order of their ids
-- Events:  run.completed, run.failed or run.canceled; session.closed, one a session
create function striatumd.end_run(p_call striatumd.call_context, p_state striatumd.run_state,
    p_stop_reason striatumd.stop_reason, p_completion_mode striatumd.completion_mode,
    p_reason text default null)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_reason  text := coalesce(p_reason, p_stop_reason::text, 'every job has ended');
  v_before  striatumd.runs;
  v_run     striatumd.runs;
  v_changes jsonb := '[]'::jsonb;
  v_events  jsonb;
  v_id      text;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_before from striatumd.runs
   where run_id = p_call.run_id and finished_at is null for update;

  -- change
  if p_state = 'canceled' then
    v_changes := striatumd.cancel_work(p_call);
  end if;
  v_run := v_before;
  v_run.state := p_state;
  v_run.stop_reason := p_stop_reason;
  v_run.completion_mode := p_completion_mode;
  v_run.finished_at := p_call.at;
  v_run.completion_record_json := striatumd.completion_record(v_run,
    striatumd.review_gates(v_run.run_id))::text;
  v_run.completion_record_sha256 :=
    encode(sha256(convert_to(v_run.completion_record_json, 'UTF8')), 'hex');
  update striatumd.runs
     set state = v_run.state, stop_reason = v_run.stop_reason,
         completion_mode = v_run.completion_mode, finished_at = v_run.finished_at,
         completion_record_json = v_run.completion_record_json,
         completion_record_sha256 = v_run.completion_record_sha256
   where run_id = v_run.run_id;
  v_events := striatumd.split_run_event(p_call, 'run.' || p_state, v_reason,
    jsonb_build_array(striatumd.moved('run', v_run.run_id, striatumd.run_folded(v_before),
      striatumd.run_folded(v_run))) || v_changes,
    jsonb_build_object('completion_record_sha256', v_run.completion_record_sha256));
  for v_id in
    select s.session_id from striatumd.sessions s
     where s.run_id = v_run.run_id and s.state = 'active'
       and not exists (select from striatumd.leases l
                        where l.session_id = s.session_id and l.state = 'active')
     order by s.session_id for update
  loop
    v_events := v_events || striatumd.run_event(p_call, 'session.closed', v_reason,
      jsonb_build_array(striatumd.end_session(p_call, v_id, 'closed',
        ('run_' || p_state)::striatumd.close_reason, null)), '{}',
      jsonb_build_object('session_id', v_id, 'source', 'run_' || p_state));
  end loop;
  return v_events;
end
$$;
