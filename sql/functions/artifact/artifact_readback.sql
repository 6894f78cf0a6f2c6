-- What was seen of an artifact's body by the observers of a call: `present` where the checkout has
-- it as it was published, `committed` where a commit that a ref holds does; else how the file in
-- its place is (missing, escapes, no_file, too_large, unknown, differs), or `unseen`.
create function striatumd.artifact_readback(p_call striatumd.call_context,
    p_artifact striatumd.artifacts)
  returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce((
    select case
             when f ->> 'state' = 'present' and f ->> 'sha256' = p_artifact.content_sha256
               then 'present'
             when f -> 'is_committed' = 'true'
              and f ->> 'published_sha256' = p_artifact.content_sha256 then 'committed'
             when f ->> 'state' = 'present' then 'differs'
             else f ->> 'state' end
      from jsonb_array_elements(coalesce(p_call.observed #> '{artifact_copies,files}', '[]')) as f
     where f ->> 'path' = p_artifact.repo_path limit 1), 'unseen')
$$;
