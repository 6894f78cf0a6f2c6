-- Hands the run of a call to an operator, by one blocker of the run as a whole. The answer is the
-- events.
--
-- Locks:   the run's row
-- Events:  run.escalated
create function striatumd.escalate_run(p_call striatumd.call_context,
    p_stop_reason striatumd.stop_reason, p_says text, p_about jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before striatumd.runs;
  v_run    striatumd.runs;
begin
  perform striatumd.assert_daemon_authority();
  select * into strict v_before from striatumd.runs where run_id = p_call.run_id for update;
  update striatumd.runs set state = 'needs_operator', stop_reason = p_stop_reason
   where run_id = v_before.run_id returning * into v_run;
  return jsonb_build_array(striatumd.run_event(p_call, 'run.escalated', p_stop_reason::text,
    jsonb_build_array(
      striatumd.moved('run', v_run.run_id, striatumd.run_folded(v_before),
        striatumd.run_folded(v_run)),
      striatumd.open_blocker(p_call, null, 'human_checkpoint', p_stop_reason::text,
        left(p_says, 2000), jsonb_build_object('schema_version', 'striatum.blocker_payload.v1')
          || p_about)),
    '{}', jsonb_build_object('reasons', (
      select jsonb_array_length(value) from jsonb_each(p_about) limit 1))));
end
$$;
