-- Ends an active supervisor: `stopped` where its exit was reported or asked for, `lost` where it
-- vanished. Its agent's token ends with it. What is said of why may come from the system, and is
-- made a line. The answer is the change, for the event that says why.
create function striatumd.end_supervisor(p_call striatumd.call_context, p_supervisor_id text,
    p_state striatumd.supervisor_state, p_reason text, p_exit_code integer default null,
    p_exit_signal integer default null)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before     striatumd.process_supervisors;
  v_supervisor striatumd.process_supervisors;
begin
  perform striatumd.assert_daemon_authority();
  select * into strict v_before from striatumd.process_supervisors
   where supervisor_id = p_supervisor_id and state in ('starting', 'attached', 'detached')
     for update;
  update striatumd.process_supervisors
     set state = p_state, ended_at = p_call.at,
         end_reason = left(nullif(regexp_replace(p_reason, '[[:cntrl:]]+', ' ', 'g'), ''), 200),
         exit_code = p_exit_code, exit_signal = p_exit_signal
   where supervisor_id = p_supervisor_id returning * into v_supervisor;
  perform striatumd.revoke_client(p_call, v_supervisor.client_id);
  return striatumd.moved('supervisor', p_supervisor_id, striatumd.supervisor_folded(v_before),
    striatumd.supervisor_folded(v_supervisor));
end
$$;
