-- Makes the file that was looked at an artifact of the lease's attempt, under a name and a kind.
-- The answer is `{artifact, events}`; no event where the very same was published before. `p_again`
-- is the command that asks for it once more.
--
-- Keeps:  a name is published once an attempt, and its content stays
--         a signature is the one that the packet gives, as the lane is attested now
--         a review says something of its own each time
-- Errors: artifact_file_missing, symlink_refused, artifact_unreadable   there is none to publish
--         artifact_already_published   another content has that name
--         artifact_kind_unknown, artifact_front_matter_invalid   it is not as its kind wants it
--         artifact_author_differs      it is signed otherwise
--         artifact_review_repeated     it is the review of an attempt before
-- Events: artifact.published
create function striatumd.published_file(p_call striatumd.call_context, p_lease striatumd.leases,
    p_job striatumd.jobs, p_path text, p_as jsonb, p_again text)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_seen     jsonb := p_call.observed -> 'artifact_file';
  v_about    jsonb := p_as || jsonb_build_object('path', p_path);
  v_author   text;
  v_lines    text[];
  v_before   striatumd.leases;
  v_lease    striatumd.leases;
  v_artifact striatumd.artifacts;
begin
  perform striatumd.assert_daemon_authority();

  -- the file
  if v_seen ->> 'path' is distinct from p_path or v_seen ->> 'root' is distinct from (
       select root from striatumd.repositories where repository_id = p_job.repository_id) then
    v_seen := '{"state": "unknown", "problem": "it was not looked at"}';
  elsif v_seen ->> 'state' = 'present'
        and v_seen #>> '{contract,kind}' is distinct from p_as ->> 'kind' then
    v_seen := '{"state": "unknown", "problem": "it was looked at as something else"}';
  end if;
  if v_seen ->> 'state' is distinct from 'present' then
    perform striatumd.refuse(case v_seen ->> 'state' when 'missing' then 'artifact_file_missing'
        when 'escapes' then 'symlink_refused' else 'artifact_unreadable' end,
      format('%s cannot be published: %s; it has to be a regular file', p_path,
        coalesce(v_seen ->> 'problem', replace(v_seen ->> 'state', '_', ' '))),
      v_about || jsonb_build_object('seen', v_seen), array[p_again]);
  end if;

  -- the name
  select * into v_artifact from striatumd.artifacts
   where job_id = p_job.job_id and attempt = p_job.attempt
     and logical_name = p_as ->> 'logical_name';
  if found then
    if (v_artifact.content_sha256, v_artifact.repo_path::text, v_artifact.kind::text)
       is distinct from (v_seen ->> 'sha256', p_path, p_as ->> 'kind') then
      perform striatumd.refuse('artifact_already_published',
        format('%s was published already, and stays as it is', p_as ->> 'logical_name'),
        v_about || jsonb_build_object('artifact_id', v_artifact.artifact_id,
          'content_sha256', v_artifact.content_sha256),
        array[format('striatum why %s', p_job.job_id)]);
    end if;
    return jsonb_build_object('artifact', striatumd.artifact_shown(v_artifact),
      'events', '[]'::jsonb);
  end if;
  if p_job.is_verdict and exists (
       select from striatumd.artifacts
        where job_id = p_job.job_id and attempt < p_job.attempt
          and content_sha256 = v_seen ->> 'sha256') then
    perform striatumd.refuse('artifact_review_repeated',
      'the file is the review of an attempt before, word for word: look at the work as it is now, '
        'and write that down', v_about, array[p_again]);
  end if;

  -- what its kind wants
  perform striatumd.refuse_by_contract(v_seen, v_about, p_again);

  -- the signature
  v_author := striatumd.author_line(p_lease.session_id,
    striatumd.is_attested(p_call, p_lease.session_id));
  v_lines := array(
    select striatumd.canonical_author_line(value ->> 'place', value ->> 'line')
      from jsonb_array_elements(coalesce(v_seen -> 'author_lines', '[]'))
           with ordinality as e (value, n) order by n);
  if v_author <> any (v_lines) then
    perform striatumd.refuse('artifact_author_differs',
      format('%s has to be signed `%s`, or not at all', p_path, v_author),
      v_about || jsonb_build_object('expected', v_author, 'read', to_jsonb(v_lines)),
      array[p_again]);
  end if;

  -- change
  select * into strict v_before from striatumd.leases where lease_id = p_lease.lease_id;
  update striatumd.leases l set has_published = true
   where l.lease_id = p_lease.lease_id and l.state = 'active'
     and l.session_id = p_lease.session_id and l.attempt = p_job.attempt
  returning * into strict v_lease;
  insert into striatumd.artifacts (artifact_id, repository_id, run_id, job_id, attempt, session_id,
    lease_id, logical_name, kind, repo_path, content_sha256, octets, author_line, placement,
    published_at)
  values (striatumd.new_id('art'), p_job.repository_id, p_job.run_id, p_job.job_id, p_job.attempt,
    p_lease.session_id, p_lease.lease_id, p_as ->> 'logical_name', p_as ->> 'kind', p_path,
    v_seen ->> 'sha256', (v_seen ->> 'octets')::bigint, v_lines[1], 'git_publication', p_call.at)
  returning * into v_artifact;
  return jsonb_build_object('artifact', striatumd.artifact_shown(v_artifact), 'events',
    jsonb_build_array(striatumd.run_event(p_call, 'artifact.published', 'published',
      jsonb_build_array(
        striatumd.change('artifact', v_artifact.artifact_id, null,
          striatumd.artifact_folded(v_artifact)),
        striatumd.moved('lease', p_lease.lease_id, striatumd.lease_folded(v_before),
          striatumd.lease_folded(v_lease))),
      jsonb_build_object('job_id', p_job.job_id, 'artifact_id', v_artifact.artifact_id,
        'lease_id', p_lease.lease_id))));
end
$$;
