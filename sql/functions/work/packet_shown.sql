-- A packet as a claim answers it.
create function striatumd.packet_shown(p striatumd.work_packets, p_status text) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'type', 'work',
    'status', p_status,
    'packet_id', (p).packet_id,
    'packet_sha256', (p).packet_sha256,
    'lease_id', (p).lease_id,
    'job_id', (p).job_id,
    'attempt', (p).attempt,
    'packet', (p).packet_json::jsonb);
end
$$;
