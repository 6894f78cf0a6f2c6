-- repo.add: registers a git repository, so that its workflows may run.
--
-- Keeps:   an active root has one registration, and stays the folder that it was: its inode is part
--          of its identity; adding it again answers the registration that there is
-- Errors:  path_not_absolute, path_traversal, symlink_refused
--                                    the path is not the canonical one of a folder
--          repo_root_missing         there is no folder of that path
--          repo_root_unknown         the folder could not be looked at
--          repo_identity_differs     the path is registered and is another folder now
--          repo_git_missing          the folder is not the top of a git work tree
--          repo_legacy_state_present a database of an older program lies in .striatum
--          repo_scratch_missing      .striatum/scratch is not there, and init was not asked for
-- Locks:   the root, so that two additions of it take turns
-- Events:  repository.added
create function striatumd.repo_add(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_seen       jsonb := p_call.observed -> 'repository_root';
  v_path       text := p ->> 'path';
  v_init       boolean := coalesce((p ->> 'init')::boolean, false);
  v_ready      boolean := coalesce((v_seen ->> 'has_scratch')::boolean
                                   and (not v_init or (v_seen ->> 'is_ignored')::boolean), false);
  v_problems   jsonb;
  v_effects    jsonb := '[]'::jsonb;
  v_events     jsonb := '[]'::jsonb;
  v_repository striatumd.repositories;
begin
  perform striatumd.assert_daemon_authority();

  -- refuse
  v_problems := striatumd.repo_add_problems(v_path, v_init, v_seen);
  if v_problems <> '[]' then
    perform striatumd.refuse(v_problems #>> '{0,code}',
      (select string_agg(value ->> 'message', '; ') from jsonb_array_elements(v_problems)),
      jsonb_build_object('path', v_path, 'problems', v_problems),
      (select array_agg(value ->> 'next') from jsonb_array_elements(v_problems)));
  end if;

  -- lock
  perform pg_advisory_xact_lock(hashtextextended('striatum:root:' || v_path, 0));

  -- read
  select * into v_repository from striatumd.repositories where root = v_path and state = 'active';
  if found and v_repository.inode <> v_seen ->> 'inode' then
    perform striatumd.refuse('repo_identity_differs',
      format('%s is registered as %s, and is another folder now', v_path,
        v_repository.repository_id),
      jsonb_build_object('path', v_path, 'repository_id', v_repository.repository_id),
      array[format('striatum repo remove %s', v_repository.repository_id)]);
  end if;

  -- change
  if v_repository.repository_id is null then
    insert into striatumd.repositories values (striatumd.new_id('repo'), v_path,
      v_seen ->> 'inode', coalesce(p ->> 'display_name', regexp_replace(v_path, '^.*/(?=.)', '')),
      'active', v_ready, p_call.at, null)
    returning * into v_repository;
    v_events := jsonb_build_array(striatumd.event(v_repository.repository_id, 'repository.added',
      'repo.add', p_call.client_id, jsonb_build_array(striatumd.change('repository',
        v_repository.repository_id, null, striatumd.repository_folded(v_repository)))));
  end if;
  if v_init and not v_ready then
    v_effects := jsonb_build_array(jsonb_build_object('kind', 'scratch_present',
      'repository_id', v_repository.repository_id,
      'args', jsonb_build_object('root', v_path, 'inode', v_repository.inode)));
  end if;

  -- reply
  return striatumd.decided(striatumd.repository_shown(v_repository) - 'is_initialized'
    || jsonb_build_object('is_new', v_events <> '[]'), v_events, v_effects);
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  observers, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('repo.add', 'Register a git repository, so that its workflows may run', 'admin',
  'daemon_global', 'none', true, '{
  "type": "object", "additionalProperties": false, "required": ["path"],
  "properties": {
    "path":         {"type": "string", "format": "path", "minLength": 1, "maxLength": 4096,
                     "description": "The top folder of the work tree"},
    "init":         {"type": "boolean", "description":
                     "Make .striatum/scratch and its .gitignore entry, and nothing else"},
    "display_name": {"type": "string", "minLength": 1, "maxLength": 200,
                     "pattern": "^[^\\p{Cc}]+$",
                     "description": "Its name in lists; that of the folder where left out"}}}',
  '{repository_root}', '{scratch_present}',
  '{path_not_absolute, path_traversal, symlink_refused, repo_root_missing, repo_root_unknown,
    repo_identity_differs, repo_git_missing, repo_legacy_state_present, repo_scratch_missing}',
  '{repo,add}', '{path}', '{repository_id, display_name, root, state, is_new}',
  '{"striatum repo add . --init", "striatum repo add /srv/app --display-name app"}');
