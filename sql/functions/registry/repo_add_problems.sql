-- Everything that stands against registering a folder, as the path says it and as it was seen:
-- `[{code, message, next}]`, the first the most telling.
create function striatumd.repo_add_problems(p_path text, p_init boolean, p_seen jsonb) returns jsonb
  language sql immutable parallel safe
as $$
  select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
           'code', code, 'message', message, 'next', next)), '[]'::jsonb)
    from (values
      ('path_not_absolute', not pg_catalog.starts_with(p_path, '/'),
       'the path is not absolute', 'the same request with a path that begins with /'),
      ('path_traversal', pg_catalog.regexp_like(p_path, '(^|/)\.\.?(/|$)|//|./$'),
       'the path is not written plainly: it holds . or .., or a slash too many',
       pg_catalog.format('striatum repo add %s', striatumd.shell_word(p_seen ->> 'real_path'))),
      ('symlink_refused', p_seen ->> 'symlink' is not null,
       pg_catalog.format('%s is a symbolic link', p_seen ->> 'symlink'),
       pg_catalog.format('striatum repo add %s', striatumd.shell_word(p_seen ->> 'real_path'))),
      ('repo_root_missing', p_seen ->> 'state' in ('absent', 'no_folder'),
       pg_catalog.format('there is no folder %s', p_path), 'striatum repo add PATH, of a folder'),
      ('repo_root_unknown', coalesce(p_seen ->> 'state', 'unknown') = 'unknown',
       pg_catalog.format('%s could not be looked at: %s', p_path, p_seen ->> 'problem'),
       'the same request, once the daemon''s user may read that folder'),
      ('repo_git_missing', (p_seen -> 'has_git') = 'false'::jsonb,
       case when p_seen ->> 'git_top' is null
         then pg_catalog.format('%s is not the top of a git work tree', p_path)
         else pg_catalog.format('%s lies in the git work tree %s', p_path,
           p_seen ->> 'git_top') end,
       case when p_seen ->> 'git_top' is null
         then pg_catalog.format('git init %s', striatumd.shell_word(p_path))
         else pg_catalog.format('striatum repo add %s --init',
           striatumd.shell_word(p_seen ->> 'git_top')) end),
      ('repo_legacy_state_present', p_seen ->> 'legacy_state' is not null,
       pg_catalog.format('%s is a database of an older program', p_seen ->> 'legacy_state'),
       pg_catalog.format('mv %s to a place outside of the repository',
         striatumd.shell_word(p_seen ->> 'legacy_state'))),
      ('repo_scratch_missing',
       not p_init and (p_seen -> 'has_scratch') = 'false'::jsonb
         and p_seen ->> 'git_top' is null,
       pg_catalog.format('%s/.striatum/scratch is missing', p_path),
       pg_catalog.format('striatum repo add %s --init', striatumd.shell_word(p_path)))
    ) as problems (code, holds, message, next)
   where holds
$$;
