-- The columns of an artifact that its event carries.
create function striatumd.artifact_folded(p striatumd.artifacts) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'job_id', (p).job_id,
    'attempt', (p).attempt,
    'session_id', (p).session_id,
    'lease_id', (p).lease_id,
    'logical_name', (p).logical_name,
    'kind', (p).kind,
    'repo_path', (p).repo_path,
    'content_sha256', (p).content_sha256,
    'octets', (p).octets,
    'author_line', (p).author_line,
    'placement', (p).placement,
    'published_at', striatumd.utc_micros((p).published_at));
end
$$;
