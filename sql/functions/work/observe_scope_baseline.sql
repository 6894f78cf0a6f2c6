-- What to look at before an attempt begins: what is changed already where the session's next job
-- may write. Nothing where there is no next job, or its attempt has begun. The observer answers
-- `{job_id, attempt, status: captured | unavailable, changed_paths: [{path, sha256}] | error}`,
-- the first two as it was asked.
create function striatumd.observe_scope_baseline(p_call striatumd.call_context, p jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return coalesce((
    select jsonb_build_object('job_id', j.job_id, 'attempt', j.attempt, 'root', r.root,
             'allowed_paths', coalesce(j.spec #> '{write_scope,allowed_paths}', '[]'))
      from striatumd.queue_messages m
      join striatumd.jobs j using (job_id)
      join striatumd.repositories r on r.repository_id = j.repository_id
     where m.message_id = striatumd.claimable(coalesce(p ->> 'session_id', p_call.session_id))
       and not exists (select from striatumd.job_attempts a
                        where a.job_id = j.job_id and a.attempt = j.attempt)), '{}');
end
$$;
