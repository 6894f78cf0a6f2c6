-- One event of the run that a call acts on. `about` names what else it concerns: job_id,
-- message_id, artifact_id, lease_id; `more` joins the payload beside changes, reason and by.
create function striatumd.run_event(p_call striatumd.call_context, p_event_type text,
    p_reason text, p_changes jsonb, p_about jsonb default '{}', p_more jsonb default '{}')
  returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_concat(p_about, pg_catalog.jsonb_build_object(
    'repository_id', (p_call).repository_id, 'run_id', (p_call).run_id,
    'event_type', p_event_type, 'actor_session_id', (p_call).session_id,
    'payload', pg_catalog.jsonb_concat(p_more, pg_catalog.jsonb_build_object(
      'changes', p_changes, 'reason', p_reason, 'by', (p_call).client_id))));
end
$$;
