-- What a job waits for, in sentences, and the commands that bring it on.
create function striatumd.why_job(p_job_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with job as (
    select j.*, r.state as run_state from striatumd.jobs j
      join striatumd.runs r on r.run_id = j.run_id where j.job_id = p_job_id),
  message as (
    select m.* from striatumd.queue_messages m
     where m.job_id = p_job_id and m.state = 'pending'),
  taker as (                              -- who could take it from the queue
    select s.*, concat_ws('-', s.role_id, s.lane_id, s.ordinal) as slug,
           p.state as supervisor, l.lease_id, h.workflow_job_id as holds,
           m.is_fresh and exists (
             select from striatumd.work_packets w where w.session_id = s.session_id) as is_used
      from message m
      join striatumd.sessions s on s.run_id = m.run_id and s.role_id = m.role_id
       and s.state = 'active' and (m.lane_id is null or s.lane_id = m.lane_id)
      left join striatumd.process_supervisors p
        on p.session_id = s.session_id and p.state in ('starting', 'attached', 'detached')
      left join striatumd.leases l on l.session_id = s.session_id and l.state = 'active'
      left join striatumd.jobs h on h.job_id = l.job_id),
  reason (rank, n, says, command) as (
    select 1, 0, format('its run is %s', run_state), format('striatum why %s', run_id)
      from job where run_state <> 'running'
     union all
    select 2, f.ordinal, format('job %s before it is %s', f.workflow_job_id, f.state),
           format('striatum why %s', f.job_id)
      from job j join striatumd.job_edges e on e.to_job_id = j.job_id
      join striatumd.jobs f on f.job_id = e.from_job_id
     where j.state = 'pending' and f.state <> 'completed'
     union all
    select 3, 0, format('there is no active session of role %s%s', m.role_id,
             coalesce(' and lane ' || m.lane_id, '')),
           format('striatum session register %s %s %s', m.run_id, m.role_id,
             coalesce(m.lane_id, 'LANE'))
      from message m where not exists (select from taker)
     union all
    select 4, 0, h ->> 'message', format('striatum why %s', h ->> 'job_id')
      from message m join striatumd.jobs j on j.job_id = m.job_id
     cross join striatumd.held_back(j, m.lane_id, striatumd.parallelism(m.run_id)) as h
     where h is not null
     union all
    select 4, t.ordinal, case
        when is_used then format('session %s has worked before, and it wants a fresh one', slug)
        when supervisor is null then format('session %s has no agent', slug)
        when supervisor <> 'attached' then format('the agent of session %s is %s', slug, supervisor)
        when lease_id is not null then format('session %s holds %s', slug, holds)
        else format('session %s may claim it, and has not yet', slug) end,
      case
        when is_used then format('striatum session register %s %s %s', run_id, role_id, lane_id)
        when supervisor is null then
          format('striatum supervise start --session-id %s', session_id)
        else format('striatum why %s', session_id) end
      from taker t
     union all
    select 5, 0, format('session %s holds it until %s', concat_ws('-', s.role_id, s.lane_id,
             s.ordinal), striatumd.utc_micros(l.expires_at)),
           format('striatum why %s', s.session_id)
      from striatumd.leases l join striatumd.sessions s on s.session_id = l.session_id
     where l.job_id = p_job_id and l.state = 'active'
     union all
    select 6, row_number() over (order by b.opened_at, b.blocker_id collate "C", a.n)::integer,
           case a.n when 1 then format('%s: %s', b.kind, b.description) end, a.command
      from striatumd.blockers b
     cross join lateral jsonb_array_elements_text(striatumd.resolve_actions(b))
       with ordinality as a (command, n)
     where b.job_id = p_job_id and b.state = 'open'
     union all
    select 7, 0, format('it is %s, and nobody works on it', state),
           format('striatum run retry-job %s --reason TEXT', job_id)
      from job where state in ('failed', 'quarantined'))
  select jsonb_build_object(
    'waits_for', coalesce(jsonb_agg(says order by rank, n) filter (where says is not null), '[]'),
    'next', coalesce(jsonb_agg(command order by rank, n), '[]')) from reason
$$;
