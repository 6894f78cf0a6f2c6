-- What a blocker is about: the verdict that led to it, where one did, what cannot begin before it
-- is resolved, its payload; and the commands that resolve it.
create function striatumd.why_blocker(p_blocker_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'waits_for', case when b.state = 'resolved'
      then jsonb_build_array(format('it was resolved %s: %s', striatumd.utc_micros(b.resolved_at),
        b.resolution))
      when b.severity = 'human_checkpoint' then '["a person''s decision"]'
      else '["an operator"]' end,
    'severity', b.severity,
    'payload', b.payload_json::jsonb,
    'verdict', (
      select jsonb_build_object('verdict_id', v.verdict_id, 'verdict', v.verdict,
               'posture', v.posture, 'attempt', v.attempt, 'rationale', v.rationale,
               'path', a.repo_path)
        from striatumd.verdicts v
        left join striatumd.artifacts a on a.artifact_id = v.artifact_id
       where v.job_id = b.job_id and v.recorded_at <= b.opened_at
       order by v.verdict_number desc limit 1),
    'blocked_downstream_jobs', coalesce((
      select jsonb_agg(d ->> 'job' order by n)
        from jsonb_array_elements(striatumd.blocked_downstream(b.repository_id, b.run_id))
          with ordinality as e (d, n)
       where b.state = 'open' and d -> 'stopped_by' ? j.workflow_job_id), '[]'),
    'next', striatumd.resolve_actions(b))
    from striatumd.blockers b left join striatumd.jobs j on j.job_id = b.job_id
   where b.blocker_id = p_blocker_id
$$;
