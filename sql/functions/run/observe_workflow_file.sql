-- Which workflow file is to be read, the one that the caller names or the one of which a run was
-- made: the observer is told the repository's root and the path,
-- relative to the root or below it, and answers `{state, path, sha256, workflow, problems, parts}`:
-- state is present, missing, escapes, no_file, not_utf8, too_large or unknown
-- (with `problem`), path the one below the root, problems `[{code, pointer, message, hint}]`, parts
-- what it names, `[{pointer, kind, what, state}]`, kind being file or program.
create function striatumd.observe_workflow_file(p_call striatumd.call_context, p jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return (select jsonb_build_object('root', root, 'path', coalesce(p ->> 'workflow_path', (
                   select s.source_path from striatumd.workflow_snapshots s
                    where s.run_id = p ->> 'run_id' and s.repository_id = p_call.repository_id)))
            from striatumd.repositories where repository_id = p_call.repository_id);
end
$$;
