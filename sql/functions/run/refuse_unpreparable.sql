-- Refuses to prepare a run from a workflow file, or in a checkout, as they were seen. Advice about
-- pairs of models refuses too, unless somebody accepts it.
create function striatumd.refuse_unpreparable(p_path text, p_file jsonb, p_head jsonb,
  p_accepts_advice boolean) returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_about jsonb := jsonb_build_object('workflow_path', p_path, 'state', p_file -> 'state');
  v_next  text[] := array[format('striatum run prepare %s', striatumd.shell_word(p_path))];
  v_state text := coalesce(p_file ->> 'state', 'unknown');
  v_problems jsonb := p_file -> 'problems';
  v_advice jsonb := coalesce(p_file -> 'advice', '[]');
  v_count bigint;
begin
  perform striatumd.assert_daemon_authority();

  -- the file
  if jsonb_typeof(p_file -> 'problems') is distinct from 'array' and v_state = 'present' then
    v_state := 'unknown';        -- nobody has checked it
  end if;
  case v_state
    when 'present' then null;
    when 'missing' then
      perform striatumd.refuse('workflow_missing', format('there is no file %s', p_path), v_about,
        array['striatum run prepare PATH, of a workflow file in the repository']);
    when 'escapes' then
      perform striatumd.refuse('workflow_path_refused',
        format('%s leads out of the repository, or through a symbolic link', p_path), v_about,
        array['striatum run prepare PATH, of a workflow file in the repository']);
    else
      perform striatumd.refuse('workflow_unreadable',
        format('%s could not be read as a workflow: %s', p_path,
          coalesce(p_file ->> 'problem', 'it was not looked at')), v_about, v_next);
  end case;
  if not p_accepts_advice then
    if v_problems = '[]' and v_advice <> '[]' then
      v_next := v_next || format('striatum run prepare %s --allow-same-model-pairing',
        striatumd.shell_word(p_path));
    end if;
    v_problems := v_problems || v_advice;
  end if;
  if v_problems is distinct from '[]' then
    v_count := jsonb_array_length(v_problems);
    perform striatumd.refuse('workflow_invalid',
      format('%s: %s %s%s', p_path, v_problems #>> '{0,pointer}', v_problems #>> '{0,message}',
        case when v_count > 1 then format(' (and %s more)', v_count - 1) else '' end),
      v_about || jsonb_build_object('problems', v_problems),
      array[format('striatum workflow validate %s', striatumd.shell_word(p_path))] || v_next);
  end if;

  -- the checkout
  if p_head ->> 'state' is distinct from 'present' then
    perform striatumd.refuse('git_head_missing',
      case p_head ->> 'state' when 'unborn' then 'the repository has no commit yet'
        else format('git could not say where the checkout stands: %s',
          coalesce(p_head ->> 'problem', 'it was not looked at')) end,
      jsonb_build_object('state', p_head -> 'state'),
      case p_head ->> 'state' when 'unborn' then array['git commit'] || v_next else v_next end);
  end if;
  if p_file #> '{workflow,branch,allow_dirty}' = 'false'
     and p_head -> 'is_dirty' is distinct from 'false' then
    perform striatumd.refuse('checkout_dirty',
      'the workflow allows no uncommitted changes (branch.allow_dirty), and there are some',
      jsonb_build_object('workflow_path', p_path),
      array['git status', 'git stash --include-untracked'] || v_next);
  end if;
end
$$;
