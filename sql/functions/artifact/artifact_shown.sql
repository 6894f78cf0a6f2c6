-- An artifact as replies show it.
create function striatumd.artifact_shown(p striatumd.artifacts) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'artifact_id', (p).artifact_id,
    'job_id', (p).job_id,
    'attempt', (p).attempt,
    'logical_name', (p).logical_name,
    'kind', (p).kind,
    'path', (p).repo_path,
    'content_sha256', (p).content_sha256,
    'octets', (p).octets,
    'author_line', (p).author_line,
    'placement', (p).placement,
    'published_at', striatumd.utc_micros((p).published_at));
end
$$;
