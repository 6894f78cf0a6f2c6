-- What a run waits for, in sentences, and the commands that bring it on.
create function striatumd.why_run(p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with run as (
    select * from striatumd.runs where run_id = p_run_id),
  reason (n, says) as (
    select 0, case state
        when 'needs_branch_confirmation' then coalesce(
          'its branch could not be made: ' || striatumd.branch_problem(run::striatumd.runs),
          format('nobody has confirmed branch %s', branch_name))
        when 'ready' then 'nobody has started it'
        when 'needs_operator' then format('an operator has to look at it: %s', stop_reason) end
      from run where state in ('needs_branch_confirmation', 'ready', 'needs_operator')
     union all
    select 0, concat_ws(', ', format('it ended %s', striatumd.utc_micros(finished_at)),
             stop_reason, completion_mode)
      from run where finished_at is not null
     union all
    select ordinal, format('job %s is %s', workflow_job_id, j.state)
      from run r join striatumd.jobs j on j.run_id = r.run_id
     where r.finished_at is null and r.started_at is not null
       and j.state not in ('pending', 'completed', 'canceled', 'skipped')
     union all
    select 999999, format('the agent of session %s has claimed nothing since %s', concat_ws('-',
             s.role_id, s.lane_id, s.ordinal), striatumd.utc_micros(since))
      from run r join striatumd.sessions s on s.run_id = r.run_id
     cross join lateral striatumd.idle_at(s.session_id) as since
     where r.finished_at is null and since is not null
       and striatumd.claimable(s.session_id) is not null
     union all
    select 1000000, format('%s: %s', b.kind, b.description)
      from run r join striatumd.blockers b on b.run_id = r.run_id
     where r.finished_at is null and b.state = 'open')
  select jsonb_build_object(
    'waits_for', (select coalesce(jsonb_agg(says order by n, says), '[]') from reason),
    'next', jsonb_path_query_array(
        striatumd.next_actions(repository_id, p_run_id), '$[*].command')
      - format('striatum why %s', p_run_id)
      || jsonb_build_array(format('striatum run summary %s', p_run_id)))
    from run
$$;
