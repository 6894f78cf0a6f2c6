-- The run that a reading call names, where it is one of the call's repository and, for a session's
-- token, the session's own.
--
-- Errors: run_not_found  there is no such run there
create function striatumd.run_to_read(p_call striatumd.call_context, p_run_id text)
  returns striatumd.runs
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_run striatumd.runs;
begin
  perform striatumd.assert_daemon_authority();
  select * into v_run from striatumd.runs r
   where r.run_id = p_run_id and r.repository_id = p_call.repository_id
     and (p_call.session_id is null or exists (
       select from striatumd.sessions s
        where s.session_id = p_call.session_id and s.run_id = r.run_id));
  if not found then
    perform striatumd.refuse('run_not_found',
      case when p_call.session_id is null then 'there is no such run in this repository'
           else 'a session sees its own run alone, and this is none' end,
      jsonb_build_object('run_id', p_run_id), array['striatum list runs', 'striatum status']);
  end if;
  return v_run;
end
$$;
