-- doctor, reviewer_independence_unverified: whoever reviews is another process than whoever writes.
-- Two active sessions of a run that have one process are named, and each active reviewer without an
-- agent where an author has one. A reviewer is a session of a role that gives verdicts. While lanes
-- start it may well be so: a warning.
create function striatumd.check_reviewers() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with agent as (
    select s.run_id, s.session_id, p.supervisor_id, p.agent_pid, exists (
             select from striatumd.jobs j
              where j.run_id = s.run_id and j.role_id = s.role_id and j.is_verdict) as is_reviewer
      from striatumd.sessions s
      left join striatumd.process_supervisors p
        on p.session_id = s.session_id and p.state in ('starting', 'attached', 'detached')
     where s.state = 'active'),
  doubtful as (
    select a.session_id::text
      from agent a
     where exists (
             select from agent o
              where o.run_id = a.run_id and o.session_id <> a.session_id
                and o.agent_pid = a.agent_pid)
        or a.is_reviewer and a.supervisor_id is null and exists (
             select from agent o
              where o.run_id = a.run_id and not o.is_reviewer and o.supervisor_id is not null))
  select striatumd.finding('provenance', 'reviewer_independence_unverified', true, case
      when count(*) > 0 then format('nothing shows that %s is a process of its own',
        string_agg(session_id, ', ' order by session_id collate "C"))
      else 'every reviewer is a process of its own' end,
    jsonb_agg(session_id order by session_id collate "C"), null)
    || jsonb_build_object('is_warning', count(*) > 0, 'next', coalesce(
      jsonb_agg(format('striatum why %s', session_id) order by session_id collate "C"), '[]'))
    from doubtful
$$;
