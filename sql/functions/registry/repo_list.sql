-- repo.list: the repositories that this client may read, the removed ones where asked for.
create function striatumd.repo_list(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_found jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select jsonb_agg(striatumd.repository_shown(r) order by r.root collate "C", r.added_at)
    into v_found
    from striatumd.repositories r
   where striatumd.may_read(p_call.client_id, r.repository_id)
     and (r.state = 'active' or (p ->> 'removed')::boolean);

  -- reply
  return striatumd.decided(jsonb_build_object('repositories', coalesce(v_found, '[]')), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_shows, examples)
values ('repo.list', 'List the registered repositories', 'read', 'daemon_global', 'none', false,
  false, '{
  "type": "object", "additionalProperties": false,
  "properties": {
    "removed": {"type": "boolean", "description": "Also those that were removed"}}}',
  '{}', '{repo,list}',
  '{repository_id, display_name, root, state, added_at, removed_at}',
  '{"striatum repo list", "striatum repo list --removed --json"}');
