-- The sessions of a run in the order of their registration. What a session's lane had proved when
-- it last acted is told once the run has ended, as its completion record froze it, and is null of
-- one that never did; before, it is null: nothing is looked at here. Of an agent that holds nothing
-- it is told since when.
create function striatumd.run_sessions(p_run_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('session_id', s.session_id,
           'session', concat_ws('-', s.role_id, s.lane_id, s.ordinal),
           'role_id', s.role_id, 'lane_id', s.lane_id, 'state', s.state,
           'supervisor_state', (
             select p.state from striatumd.process_supervisors p
              where p.session_id = s.session_id
              order by p.started_at desc, p.supervisor_id limit 1),
           'holds', (
             select j.workflow_job_id from striatumd.leases l
               join striatumd.jobs j on j.job_id = l.job_id
              where l.session_id = s.session_id and l.state = 'active'),
           'idle_at', striatumd.utc_micros(striatumd.idle_at(s.session_id)),
           'registered_at', striatumd.utc_micros(s.registered_at),
           'closed_at', striatumd.utc_micros(s.closed_at),
           'close_reason', s.close_reason,
           'lane_attestation', frozen -> 'lane_attestation',
           'operator_label', s.operator_label,
           'non_fresh_reason', s.non_fresh_reason)
           order by s.registered_at, s.role_id, s.lane_id, s.ordinal), '[]')
    from striatumd.sessions s
    join striatumd.runs r on r.run_id = s.run_id
    left join lateral jsonb_array_elements(r.completion_record_json::jsonb -> 'sessions') as frozen
      on frozen ->> 'session_id' = s.session_id
   where s.run_id = p_run_id
$$;
