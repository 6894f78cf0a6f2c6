-- The fourth step: the refusal of a client that is known and may not do this; null where it may.
-- The call has its scope already. Asked twice, before and under the locks.
--
-- Note:   a condition that looks into a table is a statement of its own for PL/pgSQL, and stands
--         behind the one that says whether to look
create function striatumd.denied(p_call striatumd.call_context, p_method striatumd.methods,
    p_params jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_revoked_at   timestamptz;
  v_expires_at   timestamptz;
  v_is_known     boolean;                -- the repository
  v_code         text;                   -- of what names the run, and is not there
  v_named        text;
  v_holds        boolean;
  v_is_elsewhere boolean;
begin
  perform striatumd.assert_daemon_authority();
  if p_method.internal or p_method.capability is null then
    return null;
  end if;

  -- the token
  select revoked_at, expires_at, exists (
           select from striatumd.repositories where repository_id = p_call.repository_id)
    into v_revoked_at, v_expires_at, v_is_known
    from striatumd.clients where client_id = p_call.client_id;
  if v_revoked_at is not null and p_call.session_id is not null then
    return striatumd.refusal('token_revoked',
      format('session %s has ended, and its token with it: there is nothing left to do for it',
        p_call.session_id),
      jsonb_build_object('client_id', p_call.client_id, 'session_id', p_call.session_id,
        'revoked_at', striatumd.utc_micros(v_revoked_at)),
      array[format('striatum why %s, by an operator', p_call.session_id)]);
  end if;
  if v_revoked_at is not null then
    return striatumd.refusal('token_revoked',
      format('the token of %s was revoked', p_call.client_id),
      jsonb_build_object('client_id', p_call.client_id,
        'revoked_at', striatumd.utc_micros(v_revoked_at)),
      array['striatum token create CAPABILITY, by an administrator']);
  end if;
  if v_expires_at <= striatumd.now() then
    return striatumd.refusal('token_expired',
      format('the token of %s has expired', p_call.client_id),
      jsonb_build_object('client_id', p_call.client_id,
        'expires_at', striatumd.utc_micros(v_expires_at)),
      array[format('striatum token rotate %s, by an administrator', p_call.client_id)]);
  end if;

  -- the session
  if not striatumd.may_act_as_session(p_call, p_params ->> 'session_id') then
    return striatumd.refusal('capability_denied',
      format('this token acts as session %s alone', p_call.session_id),
      jsonb_build_object('session_id', p_call.session_id),
      array['the same request with that session''s own token']);
  end if;

  if p_call.session_id is not null and not p_method.lane then
    return striatumd.refusal('capability_denied',
      format('%s is not for a session''s token', p_method.method),
      jsonb_build_object('session_id', p_call.session_id),
      array['the same request with an operator''s token']);
  end if;

  -- the capability, and where it holds
  v_holds := p_method.capability = any (p_call.capabilities);
  v_is_elsewhere := p_call.repository_id <> p_params ->> 'repository_id'
    and p_method.scope = 'single_repo';
  if not v_holds then
    v_is_elsewhere := v_is_elsewhere or exists (
      select from striatumd.client_capabilities
       where client_id = p_call.client_id and revoked_at is null
         and capability = p_method.capability);
  end if;
  if v_is_elsewhere then
    return striatumd.refusal('capability_scope_mismatch',
      format('this token''s %s does not hold for %s', p_method.capability,
        coalesce(p_params ->> 'repository_id', 'the daemon as a whole')),
      jsonb_build_object('capability', p_method.capability,
        'repository_id', p_params -> 'repository_id'),
      array[format('striatum token create %s, by an administrator', p_method.capability)]);
  end if;
  if not v_holds then
    return striatumd.refusal('capability_missing',
      format('%s needs the capability %s', p_method.method, p_method.capability),
      jsonb_build_object('capability', p_method.capability),
      array[format('striatum token create %s, by an administrator', p_method.capability)]);
  end if;
  if p_method.human_only then
    if not exists (select from striatumd.principals
                    where principal_id = p_call.principal_id and kind = 'human') then
      return striatumd.refusal('principal_not_human',
        format('%s is for a human principal', p_method.method), '{}',
        array['the same request with a token of a human principal']);
    end if;
  end if;

  -- the repository
  if p_method.scope = 'single_repo' and not v_is_known then
    return striatumd.refusal('repo_not_registered', 'there is no such repository',
      jsonb_build_object('repository_id', p_call.repository_id),
      array['striatum repo list', 'striatum repo add PATH --init']);
  end if;

  -- what names the run
  if p_call.run_id is null
     and p_method.lock_class not in ('none', 'repository', 'effect') then
    v_code := case p_method.lock_class
      when 'session' then 'session_not_found'
      when 'job' then 'job_not_found'
      when 'blocker' then 'blocker_not_found'
      when 'supervisor' then 'supervisor_not_found'
      else 'run_not_found' end;
    v_named := replace(v_code, '_not_found', '');
    return striatumd.refusal(v_code, format('there is no such %s in this repository', v_named),
      jsonb_build_object(v_named || '_id', p_params -> (v_named || '_id')),
      array['striatum list runs', 'striatum status']);
  end if;
  return null;
end
$$;
