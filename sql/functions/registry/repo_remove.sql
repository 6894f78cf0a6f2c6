-- repo.remove: ends a registration. The record stays, its id is never used again, and what was
-- granted for it alone is taken back; the folder itself is not touched.
--
-- Keeps:   removing what is removed changes nothing and succeeds
--          a run that is under way is not left behind
-- Errors:  runs_under_way  runs of it have not ended
-- Note:    `state = 'active'` would let the plan read through the index of active roots, all of it,
--          instead of the key
-- Locks:   repository; the repository's row
-- Events:  repository.removed
create function striatumd.repo_remove(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_repository striatumd.repositories;
  v_revoked    bigint;
  v_runs       text[];
begin
  perform striatumd.assert_daemon_authority();

  -- refuse
  select array_agg(run_id order by created_at, run_id) into v_runs from striatumd.runs
   where repository_id = p_call.repository_id and state in ('running', 'needs_operator');
  if v_runs is not null then
    perform striatumd.refuse('runs_under_way', format('%s of its runs have not ended',
        cardinality(v_runs)),
      jsonb_build_object('repository_id', p_call.repository_id, 'run_ids', v_runs),
      (select array_agg(format('striatum run cancel %s --reason TEXT', id))
         from unnest(v_runs[:10]) as id));
  end if;

  -- change
  update striatumd.repositories set state = 'removed', removed_at = p_call.at
   where repository_id = p_call.repository_id and state <> 'removed'
  returning * into v_repository;
  if not found then
    select * into v_repository from striatumd.repositories
     where repository_id = p_call.repository_id;
    return striatumd.decided(striatumd.repository_shown(v_repository)
      || '{"was_active": false, "revoked_grants": 0}', '[]', '[]');
  end if;
  update striatumd.client_capabilities set revoked_at = greatest(granted_at, p_call.at)
   where repository_id = p_call.repository_id and revoked_at is null;
  get diagnostics v_revoked = row_count;

  -- reply
  return striatumd.decided(
    striatumd.repository_shown(v_repository)
      || jsonb_build_object('was_active', true, 'revoked_grants', v_revoked),
    jsonb_build_array(striatumd.event(v_repository.repository_id, 'repository.removed',
      'repo.remove', p_call.client_id, jsonb_build_array(striatumd.change('repository',
        v_repository.repository_id, '{"state": "active", "removed_at": null}',
        jsonb_build_object('state', 'removed',
          'removed_at', striatumd.utc_micros(p_call.at)))))), '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('repo.remove', 'End a registration; the folder is not touched', 'admin', 'single_repo',
  'repository', true, '{
  "type": "object", "additionalProperties": false, "required": ["repository_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "Which one, as repo list shows it"}}}',
  '{runs_under_way}', '{repo,remove}', '{repository_id}',
  '{repository_id, display_name, root, state, was_active, revoked_grants}',
  '{"striatum repo remove repo_0123456789abcdef"}');
