-- Takes the outcome of making a repository's scratch folder: once it is there, the repository is
-- initialized.
--
-- Locks:   the repository's row
-- Events:  repository.initialized
create function striatumd.effect_scratch_present_recorded(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();

  -- change
  update striatumd.repositories set is_initialized = true
   where repository_id = p ->> 'repository_id' and p ->> 'state' = 'done'
     and state = 'active' and not is_initialized;

  -- reply
  if not found then
    return striatumd.decided('{}', '[]', '[]');
  end if;
  return striatumd.decided('{}', jsonb_build_array(
    striatumd.event(p ->> 'repository_id', 'repository.initialized', 'effect.record',
      p_call.client_id, jsonb_build_array(striatumd.change('repository', p ->> 'repository_id',
        '{"is_initialized": false}', '{"is_initialized": true}')))), '[]');
end
$$;
