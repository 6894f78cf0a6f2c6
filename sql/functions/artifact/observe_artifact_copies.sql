-- What to look at before work ends or goes on: the artifacts on which that relies, where they lie,
-- each with the hash that it was published with. Of a blocker that is all that its run would leave.
-- The observer answers `{root, files}`, each file with its path, its state as in artifact_file, its
-- sha256, `published_sha256` as it was asked, and, where the two differ, `is_committed`: whether a
-- commit that a ref holds has it as published.
create function striatumd.observe_artifact_copies(p_call striatumd.call_context, p jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return jsonb_build_object('root', (
      select root from striatumd.repositories where repository_id = p_call.repository_id),
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('path', a.repo_path,
               'sha256', a.content_sha256) order by a.repo_path), '[]')
        from (
          select r.* from striatumd.leases l
           cross join striatumd.relied_on(l.run_id, l.job_id) r
           where l.lease_id = p ->> 'lease_id' and l.repository_id = p_call.repository_id
           union all
          select r.* from striatumd.blockers b
            join striatumd.jobs j on j.run_id = b.run_id
             and (j.job_id = b.job_id or j.state = 'completed')
           cross join striatumd.required_artifacts(j) r
           where b.blocker_id = p ->> 'blocker_id'
             and b.repository_id = p_call.repository_id) as a));
end
$$;
