-- repo.resolve: the active repository that a path lies in, also below its top folder.
--
-- Errors:  repo_not_registered  the path lies in no repository that this client may read
create function striatumd.repo_resolve(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_path       text := coalesce(p_call.observed #>> '{path_place,real_path}', p ->> 'path');
  v_repository striatumd.repositories;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select * into v_repository from striatumd.repositories r
   where r.state = 'active' and striatumd.may_read(p_call.client_id, r.repository_id)
     and (v_path = r.root or starts_with(v_path, rtrim(r.root, '/') || '/'))
   order by length(r.root) desc limit 1;

  -- refuse
  if not found then
    perform striatumd.refuse('repo_not_registered',
      format('%s lies in no registered repository', v_path),
      jsonb_build_object('path', v_path),
      array[format('striatum repo add %s --init', striatumd.shell_word(v_path)),
            'striatum repo list']);
  end if;

  -- reply
  return striatumd.decided(striatumd.repository_shown(v_repository), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, observers, error_codes, cli_path, cli_positionals,
  cli_shows, examples)
values ('repo.resolve', 'Say which registered repository a path lies in', 'read', 'daemon_global',
  'none', false, true, '{
  "type": "object", "additionalProperties": false, "required": ["path"],
  "properties": {
    "path": {"type": "string", "format": "path", "minLength": 1, "maxLength": 4096,
             "description": "A path in the work tree"}}}',
  '{path_place}', '{repo_not_registered}', '{repo,resolve}', '{path}',
  '{repository_id, display_name, root, state}',
  '{"striatum repo resolve .", "striatum repo resolve src/main.rs --json"}');
