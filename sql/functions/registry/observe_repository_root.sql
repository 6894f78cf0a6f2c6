-- What repo.add has to know of a folder: the observer is told the path as the caller gave it, and
-- answers `{path, state, real_path, symlink, inode, has_git, git_top, has_scratch, is_ignored,
-- legacy_state}`: state is present, absent, no_folder or unknown (with `problem`), symlink the
-- first component that is one.
create function striatumd.observe_repository_root(p_call striatumd.call_context, p jsonb)
  returns jsonb
  language sql immutable parallel safe
as $$
  select pg_catalog.jsonb_build_object('path', p -> 'path')
$$;
