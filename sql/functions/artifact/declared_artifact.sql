-- Under which name and kind a job's attempt may publish a path: as the workflow expects it there,
-- or, where it expects nothing there, as `p_else` says (`{logical_name, kind}`), inside the scope
-- that was frozen for the attempt.
--
-- Keeps:  what a terminal printed is no artifact; the daemon's and git's own folders hold none
-- Errors: path_not_relative, path_traversal     the path is not a plain one below the root
--         path_outside_scope                    the attempt may not write there
--         artifact_not_expected                 the workflow expects it otherwise
--         artifact_transcript_refused           by its name it is a transcript
create function striatumd.declared_artifact(p_job striatumd.jobs, p jsonb, p_else jsonb)
  returns jsonb
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_path     text := p ->> 'path';
  v_expected jsonb := coalesce(p_job.spec -> 'expected_artifacts', '[]');
  v_there    jsonb;
  v_scope    jsonb;
  v_as       jsonb;
  v_next     text[] := array[format('striatum why %s', p_job.job_id)];
begin
  perform striatumd.assert_daemon_authority();
  if v_path ~ '^/' then
    perform striatumd.refuse('path_not_relative', 'an artifact''s path begins at the repository',
      jsonb_build_object('path', v_path), v_next);
  end if;
  if v_path ~ '(^|/)\.{0,2}(/|$)' or v_path ~ '[[:cntrl:]]' or octet_length(v_path) > 4096 then
    perform striatumd.refuse('path_traversal', 'the path is not written plainly',
      jsonb_build_object('path', v_path), v_next);
  end if;

  -- where
  select coalesce((select write_scope from striatumd.job_attempts
                    where job_id = p_job.job_id and attempt = p_job.attempt),
                  p_job.spec -> 'write_scope') into v_scope;
  if v_path ~* '(^|/)\.git(/|$)' or v_path ~ '^\.striatum(/|$)'
     or not striatumd.in_scope(v_path, v_scope) then
    perform striatumd.refuse('path_outside_scope', format('the job may not write %s, but %s',
        v_path,
        coalesce('below ' || (select string_agg(allowed, ', ')
          from jsonb_array_elements_text(v_scope -> 'allowed_paths') as allowed), 'nowhere')),
      jsonb_build_object('path', v_path, 'write_scope', v_scope), v_next);
  end if;

  -- as what
  select value into v_there from jsonb_array_elements(v_expected) where value ->> 'path' = v_path;
  v_as := jsonb_build_object(
    'logical_name', coalesce(p ->> 'logical_name', v_there ->> 'logical_name',
      p_else ->> 'logical_name'),
    'kind', coalesce(p ->> 'kind', v_there ->> 'kind', p_else ->> 'kind'));
  if striatumd.is_transcript_name(v_as ->> 'logical_name')
     or striatumd.is_transcript_name(v_as ->> 'kind')
     or striatumd.is_transcript_name(regexp_replace(v_path, '^.*/|\.[^./]*$', '', 'g')) then
    perform striatumd.refuse('artifact_transcript_refused',
      'what a terminal or a provider printed is not published',
      v_as || jsonb_build_object('path', v_path), v_next);
  end if;
  if v_as ->> 'logical_name' is distinct from coalesce(v_there, v_as) ->> 'logical_name'
     or v_as ->> 'kind' is distinct from coalesce(v_there, p_else) ->> 'kind'
     or v_there is null and exists (
       select from jsonb_array_elements(v_expected)
        where value ->> 'logical_name' = v_as ->> 'logical_name') then
    perform striatumd.refuse('artifact_not_expected',
      format('the workflow does not expect the %s %s at %s', v_as ->> 'kind',
        v_as ->> 'logical_name', v_path),
      v_as || jsonb_build_object('path', v_path, 'expected', v_expected), v_next);
  end if;
  return v_as;
end
$$;
