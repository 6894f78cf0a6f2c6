-- Takes the outcome of making the branch of a run: once it is there, the run is ready. Where git
-- cannot make it, the run goes on waiting for an operator to confirm a branch.
--
-- Keeps:   a run that went on meanwhile is left alone
-- Locks:   the effect's repository, and with it all of its runs; the run's row
-- Events:  branch.confirmed
create function striatumd.effect_branch_present_recorded(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before striatumd.runs;
  v_run    striatumd.runs;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into v_before from striatumd.runs
   where run_id = p #>> '{args,run_id}' and repository_id = p ->> 'repository_id'
     and state = 'needs_branch_confirmation' and p ->> 'state' = 'done'
     for update;
  if not found then
    return striatumd.decided('{}', '[]', '[]');
  end if;

  -- change
  update striatumd.runs set state = 'ready', branch_name = p #>> '{args,branch}'
   where run_id = v_before.run_id returning * into v_run;

  -- reply
  p_call.run_id := v_run.run_id;
  return striatumd.decided('{}', jsonb_build_array(striatumd.run_event(p_call, 'branch.confirmed',
    'effect.record', jsonb_build_array(striatumd.moved('run', v_run.run_id,
      striatumd.run_folded(v_before), striatumd.run_folded(v_run))))), '[]');
end
$$;
