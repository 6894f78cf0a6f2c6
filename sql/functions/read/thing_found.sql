-- The thing of a run, or the effect, that an id of a repository names: its kind, its state, the
-- run, job and session that it belongs to, what it is in one sentence, and its columns as events
-- carry them. Null where the id names nothing there.
create function striatumd.thing_found(p_repository_id text, p_id text) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.assert_daemon_authority();
  with thing (kind, repository_id, run_id, job_id, session_id, state, what, columns) as (
    select 'run', repository_id::text, run_id::text, null::text, null::text, state::text,
           format('run of workflow %s on branch %s', workflow_id, branch_name),
           striatumd.run_folded(t)
      from striatumd.runs t where run_id = p_id
     union all
    select 'job', repository_id, run_id, job_id, null, state::text,
           format('job %s (%s), attempt %s', workflow_job_id, title, attempt),
           striatumd.job_folded(t)
      from striatumd.jobs t where job_id = p_id
     union all
    select 'session', repository_id, run_id, null, session_id, state::text,
           format('session %s-%s-%s', role_id, lane_id, ordinal), striatumd.session_folded(t)
      from striatumd.sessions t where session_id = p_id
     union all
    select 'message', repository_id, run_id, job_id, null, state::text,
           format('work in the queue for %s, claimed %s times', role_id, claim_count),
           striatumd.message_folded(t)
      from striatumd.queue_messages t where message_id = p_id
     union all
    select 'lease', repository_id, run_id, job_id, session_id, state::text,
           concat_ws(', ', format('lease of attempt %s', attempt), case state when 'active'
             then format('until %s', striatumd.utc_micros(expires_at))
             else format('ended: %s', release_reason) end), striatumd.lease_folded(t)
      from striatumd.leases t where lease_id = p_id
     union all
    select 'packet', t.repository_id, t.run_id, t.job_id, t.session_id, l.state::text,
           format('work packet of attempt %s, issued %s', t.attempt,
             striatumd.utc_micros(issued_at)),
           jsonb_build_object('lease_id', t.lease_id, 'message_id', t.message_id,
             'packet_sha256', packet_sha256)
      from striatumd.work_packets t join striatumd.leases l on l.lease_id = t.lease_id
     where packet_id = p_id
     union all
    select 'artifact', repository_id, run_id, job_id, session_id, 'published',
           format('artifact %s at %s, attempt %s', logical_name, repo_path, attempt),
           striatumd.artifact_folded(t)
      from striatumd.artifacts t where artifact_id = p_id
     union all
    select 'verdict', repository_id, run_id, job_id, session_id, 'recorded',
           format('verdict %s on attempt %s, %s', verdict, attempt, basis),
           striatumd.verdict_folded(t)
      from striatumd.verdicts t where verdict_id = p_id
     union all
    select 'blocker', repository_id, run_id, job_id, session_id, state::text,
           format('%s: %s', kind, description), striatumd.blocker_folded(t)
      from striatumd.blockers t where blocker_id = p_id
     union all
    select 'supervisor', repository_id, run_id, null, session_id, state::text,
           concat_ws(', ', 'supervisor of one agent', 'pid ' || agent_pid, end_reason),
           striatumd.supervisor_folded(t)
      from striatumd.process_supervisors t where supervisor_id = p_id
     union all
    select 'effect', repository_id, null, null, null, state::text,
           concat_ws(', ', format('effect %s', kind), format('tried %s times', attempts), problem),
           jsonb_build_object('kind', kind, 'attempts', attempts, 'problem', problem)
      from striatumd.effects t where effect_id = p_id)
  select jsonb_build_object('id', p_id, 'kind', kind, 'run_id', run_id, 'job_id', job_id,
           'session_id', session_id, 'state', state, 'what', what, 'columns', columns)
    from thing where repository_id = p_repository_id
$$;
