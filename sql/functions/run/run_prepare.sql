-- run.prepare: records a run of a workflow file of the repository: the file as it is now, its jobs,
-- the branch that it works on and the commit where that begins. In mode auto the branch is made,
-- and the run is ready once it is there; in mode confirm an operator says so.
--
-- Keeps:   nothing of a run is there unless the whole workflow passed its checks
-- Errors:  workflow_missing, workflow_unreadable  no such file, or it could not be read
--          workflow_path_refused                  the file does not lie in the repository
--          workflow_invalid                       with everything that is wrong with it
--          git_head_missing                       there is no commit to begin at
--          checkout_dirty                         uncommitted changes that the workflow forbids
--          branch_name_invalid                    git can have no branch of that name
-- Locks:   repository
-- Events:  run.prepared, as many as the jobs need
create function striatumd.run_prepare(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_file     jsonb := p_call.observed -> 'workflow_file';
  v_head     jsonb := p_call.observed -> 'git_head';
  v_workflow jsonb := v_file -> 'workflow';
  v_branch   text := coalesce(p ->> 'branch_name', v_workflow #>> '{branch,suggested_name}',
                       'striatum/' || (v_workflow ->> 'workflow_id'));
  v_changes  jsonb;
  v_effects  jsonb := '[]'::jsonb;
  v_run      striatumd.runs;
begin
  perform striatumd.assert_daemon_authority();

  -- refuse
  perform striatumd.refuse_unpreparable(coalesce(v_file ->> 'path', p ->> 'workflow_path'), v_file,
    v_head, coalesce((p ->> 'allow_same_model_pairing')::boolean, false));
  if not striatumd.may_name_branch(v_branch) then
    perform striatumd.refuse('branch_name_invalid', format('git has no branch called %s', v_branch),
      jsonb_build_object('branch', v_branch),
      array[format('striatum run prepare %s --branch-name %s',
        striatumd.shell_word(v_file ->> 'path'), case
          when striatumd.may_name_branch(regexp_replace(v_branch, '^refs/heads/', ''))
            then striatumd.shell_word(regexp_replace(v_branch, '^refs/heads/', ''))
          else 'NAME' end)]);
  end if;

  -- change
  insert into striatumd.runs (run_id, repository_id, workflow_id, workflow_version, name, state,
    branch_mode, branch_name, base_commit, created_by, created_at)
  values (striatumd.new_id('run'), p_call.repository_id, v_workflow ->> 'workflow_id',
    v_workflow ->> 'workflow_version', v_workflow ->> 'name', 'needs_branch_confirmation',
    coalesce(v_workflow #>> '{branch,mode}', 'auto')::striatumd.branch_mode, v_branch,
    v_head ->> 'commit', p_call.client_id, p_call.at)
  returning * into v_run;
  p_call.run_id := v_run.run_id;
  insert into striatumd.workflow_snapshots
  values (v_run.run_id, v_run.repository_id, v_file ->> 'path', v_file ->> 'sha256', v_workflow,
    p_call.at);
  v_changes := jsonb_build_array(
      striatumd.change('run', v_run.run_id, null, striatumd.run_folded(v_run)))
    || striatumd.materialize_jobs(v_run, v_workflow);
  if v_run.branch_mode = 'auto' then
    v_effects := jsonb_build_array(striatumd.branch_effect(v_run,
      (select root from striatumd.repositories where repository_id = v_run.repository_id)));
  end if;

  -- reply
  return striatumd.decided(jsonb_build_object('run_id', v_run.run_id,
      'workflow_id', v_run.workflow_id, 'state', v_run.state, 'branch_mode', v_run.branch_mode,
      'branch', v_run.branch_name, 'base_commit', v_run.base_commit,
      'current_git_branch', v_head -> 'branch', 'source_sha256', v_file -> 'sha256',
      'jobs', jsonb_array_length(v_workflow -> 'jobs'),
      'next', case v_run.branch_mode
        when 'auto' then jsonb_build_array(format('striatum run start %s', v_run.run_id))
        else jsonb_build_array(format('striatum branch confirm %s', v_run.run_id)) end),
    striatumd.split_run_event(p_call, 'run.prepared', 'run.prepare', v_changes,
      jsonb_build_object('source_path', v_file -> 'path', 'source_sha256', v_file -> 'sha256')),
    v_effects);
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  observers, effects, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('run.prepare', 'Record a run of a workflow file, ready to be started', 'write',
  'single_repo', 'repository', true, '{
  "type": "object", "additionalProperties": false,
  "required": ["repository_id", "workflow_path"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "workflow_path": {"type": "string", "format": "path", "minLength": 1, "maxLength": 4096,
                      "description": "The workflow file, in the repository"},
    "branch_name":   {"type": "string", "minLength": 1, "maxLength": 200,
                      "description": "The branch of the run, in place of the suggested one"},
    "allow_same_model_pairing": {"type": "boolean",
                      "description": "Accept that a model judges its own family''s work"}}}',
  '{workflow_file, git_head}', '{branch_present}',
  '{workflow_missing, workflow_unreadable, workflow_path_refused, workflow_invalid,
    git_head_missing, checkout_dirty, branch_name_invalid}',
  '{run,prepare}', '{workflow_path}',
  '{run_id, workflow_id, state, jobs, branch_mode, branch, base_commit, next}',
  '{"striatum run prepare workflows/review.json",
    "striatum run prepare workflow.json --branch-name feature/x"}');
