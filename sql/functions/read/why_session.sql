-- What a session waits for, in sentences, and the commands that bring it on.
create function striatumd.why_session(p_session_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with session as (
    select s.*, r.state as run_state, p.state as supervisor, l.job_id, h.workflow_job_id as holds,
           striatumd.utc_micros(l.acquired_at) as held_since, h.state = 'claimed' as is_unread,
           striatumd.utc_micros(striatumd.idle_at(s.session_id)) as idle_since
      from striatumd.sessions s
      join striatumd.runs r on r.run_id = s.run_id
      left join lateral (
        select state from striatumd.process_supervisors
         where session_id = s.session_id
         order by state in ('starting', 'attached', 'detached') desc, started_at desc
         limit 1) p on true
      left join striatumd.leases l on l.session_id = s.session_id and l.state = 'active'
      left join striatumd.jobs h on h.job_id = l.job_id
     where s.session_id = p_session_id),
  reason (n, says, command) as (
    select 1, concat_ws(', ', format('it is %s since %s', state, striatumd.utc_micros(closed_at)),
             close_reason, close_note), case when run_state in ('running', 'ready')
      then format('striatum session register %s %s %s', run_id, role_id, lane_id) end
      from session where state <> 'active'
     union all
    select 2, format('it holds job %s since %s%s', holds, held_since,
             case when is_unread then ', and has not acknowledged it' end),
           format('striatum why %s', job_id)
      from session where holds is not null
     union all
    select 3, case when supervisor is null then 'no agent was started for it'
             when supervisor = 'starting' then 'its agent is being started'
             else format('its agent is %s', supervisor) end,
           case when coalesce(supervisor::text, 'lost') in ('lost', 'stopped')
             then format('striatum supervise start --session-id %s', session_id) end
      from session where state = 'active' and supervisor is distinct from 'attached'
     union all
    select 4, 'no work for its role and lane is in the queue', format('striatum status --run-id %s',
             run_id)
      from session s
     where state = 'active' and supervisor = 'attached' and holds is null and not exists (
       select from striatumd.queue_messages m
        where m.run_id = s.run_id and m.state = 'pending' and m.role_id = s.role_id
          and (m.lane_id is null or m.lane_id = s.lane_id))
     union all
    select 5, concat_ws(', and waits: ', format('job %s is in the queue for it',
             j.workflow_job_id), striatumd.held_back(j, s.lane_id,
             striatumd.parallelism(s.run_id)) ->> 'message'), format('striatum why %s', j.job_id)
      from session s
      join striatumd.queue_messages m on m.run_id = s.run_id and m.state = 'pending'
       and m.role_id = s.role_id and (m.lane_id is null or m.lane_id = s.lane_id)
      join striatumd.jobs j on j.job_id = m.job_id
     where s.state = 'active' and s.holds is null
     union all
    select 6, format('its agent has claimed nothing since %s', idle_since), null
      from session where idle_since is not null
     union all
    select 7, null, format('striatum supervise stop --session-id %s --reason TEXT', session_id)
      from session
     where state = 'active' and supervisor = 'attached'
       and (is_unread or idle_since is not null and striatumd.claimable(session_id) is not null))
  select jsonb_build_object('waits_for', coalesce(jsonb_agg(says order by n, says)
      filter (where says is not null), '[]'),
    'next', coalesce(jsonb_agg(command order by n, says) filter (where command is not null), '[]'))
    from reason
$$;
