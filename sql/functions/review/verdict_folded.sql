-- The columns of a verdict that its event carries; its rationale is an agent's prose and no part
-- of the record.
create function striatumd.verdict_folded(p striatumd.verdicts) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'job_id', (p).job_id,
    'attempt', (p).attempt,
    'session_id', (p).session_id,
    'lease_id', (p).lease_id,
    'artifact_id', (p).artifact_id,
    'verdict', (p).verdict,
    'posture', (p).posture,
    'basis', (p).basis,
    'lane_attestation_at_record', (p).lane_attestation_at_record,
    'model_identity_declared', (p).model_identity_declared,
    'recorded_by', (p).recorded_by,
    'recorded_at', striatumd.utc_micros((p).recorded_at));
end
$$;
