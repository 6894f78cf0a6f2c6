-- Opens a blocker of the call's run, or of one of its jobs. The answer is the change, for the event
-- that says why; whoever calls moves the job.
create function striatumd.open_blocker(p_call striatumd.call_context, p_job_id text,
    p_severity striatumd.blocker_severity, p_kind text, p_description text, p_payload jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_blocker striatumd.blockers;
begin
  perform striatumd.assert_daemon_authority();
  insert into striatumd.blockers (blocker_id, repository_id, run_id, job_id, session_id, severity,
    kind, state, description, payload_json, opened_at)
  values (striatumd.new_id('blk'), p_call.repository_id, p_call.run_id, p_job_id,
    p_call.session_id, p_severity, p_kind, 'open', p_description, p_payload::text, p_call.at)
  returning * into v_blocker;
  return striatumd.change('blocker', v_blocker.blocker_id, null,
    striatumd.blocker_folded(v_blocker));
end
$$;
