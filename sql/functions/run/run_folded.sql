-- The columns of a run that its events carry; of its completion record they carry the hash.
create function striatumd.run_folded(p striatumd.runs) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'workflow_id', (p).workflow_id,
    'workflow_version', (p).workflow_version,
    'name', (p).name,
    'state', (p).state,
    'branch_mode', (p).branch_mode,
    'branch_name', (p).branch_name,
    'base_commit', (p).base_commit,
    'stop_reason', (p).stop_reason,
    'completion_mode', (p).completion_mode,
    'completion_record_sha256', (p).completion_record_sha256,
    'created_by', (p).created_by,
    'created_at', striatumd.utc_micros((p).created_at),
    'started_at', striatumd.utc_micros((p).started_at),
    'finished_at', striatumd.utc_micros((p).finished_at));
end
$$;
