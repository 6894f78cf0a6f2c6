-- run.start: lets a run that is ready begin: every job that waits for nothing can be claimed. It
-- goes by the workflow as it was prepared; where the file means something else by now, it says so.
--
-- Keeps:   one run at a time writes to the checkout of a repository
-- Errors:  run_not_ready    its branch is not settled, or it was started before
--          checkout_in_use  another run of the repository may write to the same checkout
-- Locks:   repository, run; the run's row
-- Events:  run.started; job.queued, one a job
create function striatumd.run_start(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_before striatumd.runs;
  v_run    striatumd.runs;
  v_other  text;
  v_events jsonb;
  v_file   jsonb := p_call.observed -> 'workflow_file';
  v_said   jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into strict v_before from striatumd.runs where run_id = p_call.run_id for update;

  -- refuse
  if v_before.state <> 'ready' then
    perform striatumd.refuse('run_not_ready',
      format('the run is %s, and only one that is ready can be started', v_before.state),
      jsonb_build_object('run_id', v_before.run_id, 'state', v_before.state),
      case v_before.state
        when 'needs_branch_confirmation'
          then array[striatumd.branch_command(v_before)]
        else array[format('striatum why %s', v_before.run_id)] end);
  end if;
  select r.run_id into v_other from striatumd.runs r
   where r.repository_id = v_before.repository_id and r.state in ('running', 'needs_operator')
     and exists (select from striatumd.jobs j where j.run_id = r.run_id and j.is_repo_write)
     and exists (select from striatumd.jobs j
                  where j.run_id = v_before.run_id and j.is_repo_write)
   order by r.created_at limit 1;
  if found then
    perform striatumd.refuse('checkout_in_use',
      format('run %s may write to the same checkout', v_other),
      jsonb_build_object('run_id', v_before.run_id, 'other_run_id', v_other),
      array[format('striatum why %s', v_other),
            format('striatum run cancel %s --reason TEXT', v_other)]);
  end if;

  -- change
  update striatumd.runs set state = 'running', started_at = p_call.at
   where run_id = v_before.run_id and state = 'ready' returning * into strict v_run;
  v_events := jsonb_build_array(striatumd.run_event(p_call, 'run.started', 'run.start',
      jsonb_build_array(striatumd.moved('run', v_run.run_id, striatumd.run_folded(v_before),
        striatumd.run_folded(v_run)))))
    || striatumd.queue_ready(p_call, null, 'run.start');

  -- reply
  select jsonb_build_object('warnings', jsonb_build_array(jsonb_build_object(
           'code', 'workflow_changed', 'source_sha256', s.source_sha256,
           'current_sha256', v_file -> 'sha256',
           'message', format('%s has changed since the run was prepared (%s then, %s now); the run '
             || 'goes by what it was then', s.source_path, s.source_sha256, v_file ->> 'sha256'))))
    into v_said from striatumd.workflow_snapshots s
   where s.run_id = v_run.run_id and v_file ->> 'state' = 'present'
     and v_file -> 'workflow' is distinct from s.workflow;
  return striatumd.decided(jsonb_build_object('run_id', v_run.run_id, 'state', v_run.state,
    'queued', (select jsonb_agg(j.workflow_job_id order by j.ordinal) from striatumd.jobs j
                where j.run_id = v_run.run_id and j.state = 'queued'),
    'next', jsonb_build_array(format('striatum run drive %s', v_run.run_id)))
    || coalesce(v_said, '{}'), v_events, '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  observers, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('run.start', 'Start a run that is ready', 'write', 'single_repo', 'repository_run', true, '{
  "type": "object", "additionalProperties": false, "required": ["repository_id", "run_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "run_id":        {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The run, as run prepare answers it"}}}',
  '{workflow_file}', '{run_not_ready, checkout_in_use}', '{run,start}', '{run_id}',
  '{run_id, state, queued, warnings, message, next}',
  '{"striatum run start run_0123456789abcdef"}');
