-- The call with the repository that it acts on and the capabilities that its client holds there: in
-- a method of one repository the session's, else the named one, and what was granted for it or for
-- all; in a method of the daemon what was granted for all, and the right to read where it was
-- granted for any (what such a method shows is cut to what may_read allows). Of a method whose lock
-- class names a run, the run, where it is one of that repository.
create function striatumd.scoped(p_call striatumd.call_context, p_method striatumd.methods,
    p_params jsonb)
  returns striatumd.call_context
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  if p_method.lock_class = 'effect' then
    p_call.repository_id := null;
    select repository_id into p_call.repository_id from striatumd.effects
     where effect_id = p_params ->> 'effect_id';
    return p_call;
  end if;
  if p_method.internal and p_method.lock_class = 'run' then
    select repository_id, run_id into p_call.repository_id, p_call.run_id from striatumd.runs
     where run_id = p_params ->> 'run_id';
    return p_call;
  elsif p_method.internal and p_method.lock_class = 'supervisor' then
    select repository_id, run_id into p_call.repository_id, p_call.run_id
      from striatumd.process_supervisors where supervisor_id = p_params ->> 'supervisor_id';
    return p_call;
  end if;
  if p_method.scope = 'daemon_global' then
    p_call.repository_id := null;
  elsif p_call.session_id is null then
    p_call.repository_id := p_params ->> 'repository_id';
  end if;
  select array_agg(distinct g.capability) into p_call.capabilities
    from striatumd.client_capabilities g
   where g.client_id = p_call.client_id and g.revoked_at is null
     and (g.repository_id is null or g.repository_id = p_call.repository_id
          or p_method.scope = 'daemon_global' and g.capability = 'read');
  p_call.capabilities := coalesce(p_call.capabilities, '{}');

  -- the run
  p_call.run_id := null;
  case p_method.lock_class
    when 'run', 'repository_run' then
      select run_id into p_call.run_id from striatumd.runs
       where run_id = p_params ->> 'run_id' and repository_id = p_call.repository_id;
    when 'session' then
      select run_id into p_call.run_id from striatumd.sessions
       where session_id = coalesce(p_params ->> 'session_id', p_call.session_id)
         and repository_id = p_call.repository_id;
    when 'job' then
      select run_id into p_call.run_id from striatumd.jobs
       where job_id = p_params ->> 'job_id' and repository_id = p_call.repository_id;
    when 'blocker' then
      select run_id into p_call.run_id from striatumd.blockers
       where blocker_id = p_params ->> 'blocker_id' and repository_id = p_call.repository_id;
    when 'supervisor' then
      select run_id into p_call.run_id from striatumd.process_supervisors
       where supervisor_id = p_params ->> 'supervisor_id'
         and repository_id = p_call.repository_id;
    else null;
  end case;
  return p_call;
end
$$;
