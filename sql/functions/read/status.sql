-- status: how the runs of a repository stand, or one of them: what can be claimed, what blocks,
-- what a person has to decide, and what to do next. Without a run: all that have not ended, and the
-- newest that did; jobs are counted of those that have not.
--
-- Errors: run_not_found  there is no such run in the repository, or it is not the session's own
create function striatumd.status(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_id       text;
  v_runs     jsonb;
  v_jobs     jsonb;
  v_sessions jsonb;
  v_blockers jsonb;
  v_actions  jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  if p ->> 'run_id' is not null or p_call.session_id is not null then
    v_id := (striatumd.run_to_read(p_call, coalesce(p ->> 'run_id', (
      select run_id from striatumd.sessions where session_id = p_call.session_id)))).run_id;
  end if;
  with shown as (
    select * from striatumd.runs_in_view(p_call.repository_id, v_id)
     union all
    (select * from striatumd.runs
      where repository_id = p_call.repository_id and finished_at is not null and v_id is null
      order by finished_at desc, run_id limit coalesce((p ->> 'run_limit')::integer, 20)))
  select coalesce(jsonb_agg(striatumd.run_shown(r, p_call.at)
           order by r.finished_at is not null, r.created_at desc, r.run_id collate "C"), '[]'), (
         select coalesce(jsonb_object_agg(state, count), '{}') from (
           select j.state, count(*) from shown s join striatumd.jobs j using (run_id)
            where v_id is not null or s.finished_at is null
            group by j.state) as s)
    into v_runs, v_jobs from shown r;
  select coalesce(jsonb_agg(s || jsonb_build_object('run_id', r.run_id)
           order by r.created_at, r.run_id, n), '[]')
    into v_sessions
    from striatumd.runs_in_view(p_call.repository_id, v_id) r
   cross join lateral jsonb_array_elements(striatumd.run_sessions(r.run_id))
     with ordinality as e (s, n)
   where v_id is not null or s ->> 'state' = 'active';
  v_blockers := striatumd.open_blockers(p_call.repository_id, v_id);
  v_actions := striatumd.next_actions(p_call.repository_id, v_id);

  -- reply
  return striatumd.decided(jsonb_build_object(
    'runs', v_runs,
    'runs_by_state', (select coalesce(jsonb_object_agg(state, count), '{}') from (
      select state, count(*) from striatumd.runs
       where repository_id = p_call.repository_id and (v_id is null or run_id = v_id)
       group by state) as s),
    'jobs', v_jobs,
    'state_projection', striatumd.state_projection(v_id),
    'sessions', v_sessions,
    'claimable_jobs', striatumd.claimable_jobs(p_call.repository_id, v_id),
    'blocked_downstream_jobs', striatumd.blocked_downstream(p_call.repository_id, v_id),
    'open_blockers', v_blockers,
    'human_checkpoints', jsonb_path_query_array(v_blockers,
      '$[*] ? (@.severity == "human_checkpoint")'),
    'latest_non_accepting_review_verdicts',
      striatumd.open_verdicts(p_call.repository_id, v_id),
    'next_actions', v_actions,
    'next', case when v_runs = '[]' then '["striatum run prepare WORKFLOW"]'
      else jsonb_path_query_array(v_actions, '$[0 to 9].command') end), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_shows, examples)
values ('status', 'Show how the runs of a repository stand, and what to do next', 'read',
  'single_repo', 'none', false, true, '{
  "type": "object", "additionalProperties": false,
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "run_id":        {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "This run alone"},
    "run_limit":     {"type": "integer", "minimum": 0, "maximum": 1000,
                      "description": "Runs that have ended, at most; 20 where left out"}}}',
  '{run_not_found}', '{status}',
  '{runs, run_id, workflow, jobs, claimable_jobs, open_blockers, blocker_id, job, state, attempt,
    verdict, role_id, lane_id, active_sessions, held_back, reason, sessions, session,
    supervisor_state, holds, idle_at, kind, severity, description, blocked_downstream_jobs,
    stopped_by,
    latest_non_accepting_review_verdicts, branch_name, stop_reason}',
  '{"striatum status", "striatum status --run-id run_0123456789abcdef --json"}');
