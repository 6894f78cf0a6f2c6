-- What to look at before an operator lets work go on that stopped: the required artifacts that its
-- attempt has published, where they lie. The observer answers `{root, files}`, each file with its
-- path, its state as in artifact_file, and its sha256.
create function striatumd.observe_artifact_copies(p_call striatumd.call_context, p jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return jsonb_build_object('root', (
      select root from striatumd.repositories where repository_id = p_call.repository_id),
    'paths', (
      select coalesce(jsonb_agg(a.repo_path order by a.repo_path), '[]')
        from striatumd.blockers b
        join striatumd.jobs j using (job_id)
       cross join striatumd.required_artifacts(j) a
       where b.blocker_id = p ->> 'blocker_id' and b.repository_id = p_call.repository_id));
end
$$;
