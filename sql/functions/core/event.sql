-- One event of a decision, to be appended to the chain of a repository.
create function striatumd.event(p_repository_id text, p_event_type text, p_reason text, p_by text,
    p_changes jsonb)
  returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object('repository_id', p_repository_id, 'event_type', p_event_type,
    'payload', pg_catalog.jsonb_build_object('changes', p_changes, 'reason', p_reason, 'by', p_by));
end
$$;
