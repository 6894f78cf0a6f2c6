-- The lease that a session's work is done under: active, the session's own, of the job's current
-- attempt. Whoever asks is heard of.
--
-- Errors: session_inactive  the session has ended; this is told before anything of the lease
--         lease_not_held    the lease has ended, or is another's
-- Locks:  the lease's row
create function striatumd.held_lease(p_call striatumd.call_context, p_session_id text,
    p_lease_id text)
  returns striatumd.leases
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_session striatumd.sessions;
  v_lease   striatumd.leases;
begin
  perform striatumd.assert_daemon_authority();
  select * into strict v_session from striatumd.sessions where session_id = p_session_id;
  if v_session.state <> 'active' then
    perform striatumd.refuse('session_inactive',
      format('the session is %s, and nothing can be done in its name', v_session.state),
      jsonb_build_object('session_id', p_session_id, 'session_state', v_session.state),
      array[format('striatum why %s', p_session_id),
            format('striatum session register %s %s %s', v_session.run_id, v_session.role_id,
              v_session.lane_id),
            'striatum claim-next, in the name of the new session']);
  end if;
  perform striatumd.touch_session(p_call, p_session_id);
  select l.* into v_lease from striatumd.leases l join striatumd.jobs j using (job_id)
   where l.lease_id = p_lease_id and l.session_id = p_session_id and l.state = 'active'
     and l.attempt = j.attempt for update of l;
  if not found then
    select * into v_lease from striatumd.leases
     where lease_id = p_lease_id and session_id = p_session_id and state <> 'active';
    perform striatumd.refuse('lease_not_held', case
        when found then format('the lease has ended (%s)', v_lease.release_reason)
        else 'the lease is not one of this session''s, or is of an earlier attempt' end,
      jsonb_build_object('lease_id', p_lease_id, 'session_id', p_session_id),
      array['striatum claim-next', format('striatum why %s', p_session_id)]);
  end if;
  return v_lease;
end
$$;
