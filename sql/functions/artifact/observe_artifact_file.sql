-- What to look at before a file becomes an artifact: the path below the repository's root, and as
-- what: the kind that the workflow expects there, else that of a method which says nothing of it.
-- The observer answers `{root, path, state, sha256, octets, author_lines, contract}`: state is
-- present, missing, escapes (through a link, or out of the root), no_file, too_large or unknown
-- (with `problem`); author_lines are `{place, line}`, place being front_matter or title_block;
-- contract is `{kind, verdict, problems, more, corrected}`, as the contract of the kind says.
create function striatumd.observe_artifact_file(p_call striatumd.call_context, p jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return jsonb_build_object('path', p -> 'path',
    'root', (
      select root from striatumd.repositories where repository_id = p_call.repository_id),
    'kind', coalesce((
      select e.value ->> 'kind'
        from striatumd.leases l
        join striatumd.jobs j using (job_id)
       cross join lateral jsonb_array_elements(coalesce(j.spec -> 'expected_artifacts', '[]')) e
       where l.lease_id = p ->> 'lease_id' and j.repository_id = p_call.repository_id
         and e.value ->> 'path' = p ->> 'path' limit 1),
      case when p ? 'verdict' then 'finding' else 'other' end));
end
$$;
