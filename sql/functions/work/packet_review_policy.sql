-- How a review is to be done, where its job says so: what it may look at, what it may remember, in
-- which posture; and the same in sentences, always the same ones. Null where the job says nothing.
create function striatumd.packet_review_policy(p_spec jsonb) returns jsonb
  language plpgsql immutable parallel safe
as $$
declare
  v_access  text := pg_catalog.jsonb_extract_path_text(p_spec, 'reviewer_access_scope');
  v_context text := pg_catalog.jsonb_extract_path_text(p_spec, 'reviewer_context_policy');
  v_posture text := pg_catalog.jsonb_extract_path_text(p_spec, 'review_posture');
begin
  if coalesce(v_access, v_context, v_posture) is null then
    return null;
  end if;
  return pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
    'access_scope', v_access, 'context_policy', v_context, 'posture', v_posture,
    'instruction', pg_catalog.concat_ws(' ',
      case v_access
        when 'document_only' then 'Judge by the declared inputs alone.'
        when 'artifact_augmented' then 'Judge by the declared inputs and the run''s artifacts.'
        when 'repo_level' then 'Judge by the inputs, and by anything in the repository.' end,
      case v_context
        when 'fresh' then 'Use nothing from earlier rounds.'
        when 'cross_round' then 'Take what earlier rounds found into account.' end,
      case v_posture
        when 'neutral' then 'Weigh strengths and weaknesses alike.'
        when 'devils_advocate' then 'Argue the strongest case against.'
        when 'security' then 'Look for what an attacker could use.'
        when 'threat_model' then 'Name assets, attackers and ways in, and test each.'
        when 'latency_performance' then 'Look for what costs time or space.'
        when 'ergonomics_dx' then 'Look for what makes it hard to use.'
        when 'accessibility' then 'Look for whom it shuts out.'
        when 'compliance_license' then 'Look for duties and licences that are not met.'
        when 'supply_chain' then 'Look at where each part comes from, and who could change it.'
      end)));
end
$$;
