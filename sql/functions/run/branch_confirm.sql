-- branch.confirm: settles the branch of a prepared run: makes it where it is missing, or takes the
-- one that is checked out. The run is ready then.
--
-- Keeps:   a branch is made at the run's base commit, and none is moved or checked out
-- Errors:  run_not_waiting     the run has its branch, or has ended
--          branch_name_invalid git can have no branch of that name
--          branch_differs      another branch is checked out than the one that was named
--          git_head_missing    no branch is checked out
-- Locks:   repository (shared), run; the run's row
-- Events:  branch.confirmed, of a branch that is checked out; else once it was made
create function striatumd.branch_confirm(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_current text := p_call.observed #>> '{git_head,branch}';
  v_mode    text := coalesce(p ->> 'mode', 'create');
  v_before  striatumd.runs;
  v_run     striatumd.runs;
  v_events  jsonb := '[]'::jsonb;
  v_effects jsonb := '[]'::jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_before from striatumd.runs where run_id = p_call.run_id for update;
  v_run := v_before;
  v_run.branch_name := coalesce(p ->> 'branch_name',
    case v_mode when 'use_current' then v_current else v_before.branch_name end);

  -- refuse
  if v_before.state <> 'needs_branch_confirmation' then
    perform striatumd.refuse('run_not_waiting',
      format('the run is %s, and its branch %s is settled', v_before.state, v_before.branch_name),
      jsonb_build_object('run_id', v_before.run_id, 'state', v_before.state),
      array[format('striatum why %s', v_before.run_id)]);
  end if;
  if v_mode = 'use_current' and v_current is null then
    perform striatumd.refuse('git_head_missing', 'no branch is checked out',
      jsonb_build_object('state', p_call.observed #> '{git_head,state}'),
      array[format('striatum branch confirm %s --mode create', v_before.run_id)]);
  end if;
  if v_mode = 'use_current' and v_current <> v_run.branch_name then
    perform striatumd.refuse('branch_differs',
      format('%s is checked out, and not %s', v_current, v_run.branch_name),
      jsonb_build_object('branch', v_run.branch_name, 'current_git_branch', v_current),
      array[format('git switch %s', striatumd.shell_word(v_run.branch_name)),
            format('striatum branch confirm %s --mode use_current', v_before.run_id)]);
  end if;
  if not striatumd.may_name_branch(v_run.branch_name) then
    perform striatumd.refuse('branch_name_invalid',
      format('git has no branch called %s', v_run.branch_name),
      jsonb_build_object('branch', v_run.branch_name),
      array[format('striatum branch confirm %s --branch-name NAME', v_before.run_id)]);
  end if;

  -- change
  if v_mode = 'use_current' then
    update striatumd.runs set state = 'ready', branch_name = v_run.branch_name
     where run_id = v_run.run_id returning * into v_run;
    v_events := jsonb_build_array(striatumd.run_event(p_call, 'branch.confirmed', 'branch.confirm',
      jsonb_build_array(striatumd.moved('run', v_run.run_id, striatumd.run_folded(v_before),
        striatumd.run_folded(v_run)))));
  else
    v_effects := jsonb_build_array(striatumd.branch_effect(v_run,
      (select root from striatumd.repositories where repository_id = v_run.repository_id)));
  end if;

  -- reply
  return striatumd.decided(jsonb_build_object('run_id', v_run.run_id, 'state', v_run.state,
    'mode', v_mode, 'branch', v_run.branch_name, 'current_git_branch', v_current,
    'warning', case when v_current is distinct from v_run.branch_name
      then 'another branch is checked out' end,
    'next', jsonb_build_array(format('striatum run start %s', v_run.run_id))), v_events, v_effects);
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  observers, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('branch.confirm', 'Settle the branch of a prepared run', 'write', 'single_repo', 'run',
  true, '{
  "type": "object", "additionalProperties": false, "required": ["repository_id", "run_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "run_id":        {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The run"},
    "mode":          {"enum": ["create", "use_current"], "type": "string",
                      "description": "Make the branch (the default), or take the one checked out"},
    "branch_name":   {"type": "string", "minLength": 1, "maxLength": 200,
                      "description": "The branch, in place of the one on record"}}}',
  '{git_head}', '{branch_present}',
  '{run_not_waiting, branch_name_invalid, branch_differs, git_head_missing}',
  '{branch,confirm}', '{run_id}', '{run_id, state, branch, current_git_branch, warning, next}',
  '{"striatum branch confirm run_0123456789abcdef",
    "striatum branch confirm run_0123456789abcdef --mode use_current"}');
