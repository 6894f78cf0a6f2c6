-- What to look at before a file becomes an artifact: the path below the repository's root. The
-- observer answers `{root, path, state, sha256, octets, author_lines}`: state is present, missing,
-- escapes (through a link, or out of the root), no_file, too_large or unknown (with `problem`);
-- author_lines are `{place, line}`, place being front_matter or title_block.
create function striatumd.observe_artifact_file(p_call striatumd.call_context, p jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return jsonb_build_object('path', p -> 'path', 'root', (
    select root from striatumd.repositories where repository_id = p_call.repository_id));
end
$$;
