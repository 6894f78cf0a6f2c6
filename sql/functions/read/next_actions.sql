-- What an operator can do now about the runs in view, the most pressing first: each with its name,
-- what it is about, and the exact command.
create function striatumd.next_actions(p_repository_id text, p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with run as (
    select * from striatumd.runs_in_view(p_repository_id, p_run_id)),
  work as (                               -- what waits, and a session that could take it
    select c.n, c.value as job, s.session_id, p.state as supervisor
      from jsonb_array_elements(striatumd.claimable_jobs(p_repository_id, p_run_id))
        with ordinality as c (value, n)
      left join lateral (
        select s.session_id from striatumd.sessions s
         where s.run_id = c.value ->> 'run_id' and s.state = 'active'
           and s.role_id = c.value ->> 'role_id'
           and (c.value ->> 'lane_id' is null or s.lane_id = c.value ->> 'lane_id')
         order by s.registered_at, s.session_id collate "C" limit 1) s on true
      left join striatumd.process_supervisors p
        on p.session_id = s.session_id and p.state in ('starting', 'attached', 'detached')
     where c.value -> 'held_back' = 'null'),
  action (rank, at, id, action, command) as (
    select 1, r.created_at, r.run_id::text, 'confirm_branch',
           striatumd.branch_command(r)
      from run r where r.state = 'needs_branch_confirmation'
     union all
    select 1, r.created_at, r.run_id, 'start_run', format('striatum run start %s', r.run_id)
      from run r where r.state = 'ready'
     union all
    select 2, null, job ->> 'run_id', 'drive_run',
           format('striatum run drive %s', job ->> 'run_id')
      from work where supervisor is null
     union all
    select 3, null, job ->> 'run_id', 'register_session',
           format('striatum session register %s %s %s', job ->> 'run_id', job ->> 'role_id',
             coalesce(job ->> 'lane_id', 'LANE'))
      from work where session_id is null
     union all
    select 3, null, session_id, 'start_supervisor',
           format('striatum supervise start --session-id %s', session_id)
      from work where session_id is not null and supervisor is null
     union all
    select 3, null, session_id, 'inspect_agent', format('striatum why %s', session_id)
      from work
     where supervisor = 'attached' and striatumd.idle_at(session_id) is not null
       and striatumd.claimable(session_id) is not null
     union all
    select 4, p.ended_at, s.session_id, 'recover_orphan_supervisor',
           format('striatum why %s', s.session_id)
      from run r
      join striatumd.process_supervisors p on p.run_id = r.run_id and p.state = 'lost'
      join striatumd.sessions s on s.session_id = p.session_id
      join striatumd.leases l on l.session_id = s.session_id and l.state = 'active'
     union all
    select case b.severity when 'human_checkpoint' then 6 else 5 end, b.opened_at, b.blocker_id,
           case b.severity when 'human_checkpoint' then 'resolve_human_checkpoint'
                else 'inspect_blocker' end,
           format('striatum why %s', b.blocker_id)
      from run r join striatumd.blockers b on b.run_id = r.run_id and b.state = 'open'
     union all
    select 7, r.created_at, r.run_id, 'inspect_run', format('striatum why %s', r.run_id)
      from run r where r.state = 'needs_operator')
  select coalesce(jsonb_agg(jsonb_build_object('action', action, 'about', id, 'command', command)
           order by rank, at, id collate "C", action), '[]')
    from (select distinct * from action) as each
$$;
