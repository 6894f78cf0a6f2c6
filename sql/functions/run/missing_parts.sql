-- What a workflow file names and a run of it needs, and what is not there as it was looked at, as
-- problems like those of its checks: prompts, roles, context that is not said to be dispensable,
-- the programs of lanes in which a job may run. What the checks have found already is not repeated.
create function striatumd.missing_parts(p_file jsonb) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('pointer', part -> 'pointer', 'code', code,
           'message', format('names %s, %s', part ->> 'what', says), 'hint', hint)
           order by n), '[]')
    from jsonb_array_elements(p_file -> 'parts') with ordinality as parts (part, n)
   cross join regexp_split_to_array(part ->> 'pointer', '/') as steps
   cross join lateral (values
     ('file', 'missing', 'file_missing', 'and there is no such file',
      'put it there, or name another one'),
     ('file', 'escapes', 'file_refused',
      'which leads out of the repository, or through a symbolic link',
      'name a regular file in the repository'),
     ('file', 'no_file', 'file_refused', 'which is no regular file',
      'name a regular file in the repository'),
     ('file', 'unknown', 'file_unreadable', 'which could not be looked at',
      'let the user of the daemon read it'),
     ('program', 'missing', 'program_missing',
      'and neither the lane nor the daemon has that program',
      'install it, add its folder to path_prefix of the lane, or name it by its path'))
     as problem (kind, state, code, says, hint)
   where problem.kind = part ->> 'kind' and problem.state = part ->> 'state'
     and not exists (
       select from jsonb_array_elements(p_file -> 'problems') as found
        where found -> 'pointer' = part -> 'pointer')
     and case steps[2]
       when 'context_docs' then
         p_file #> array['workflow', 'context_docs', steps[3], 'required'] is distinct from 'false'
       when 'lanes' then
         p_file #>> array['workflow', 'lanes', steps[3], 'adapter'] = 'process' and exists (
           select from jsonb_path_query(p_file, 'lax $.workflow.jobs[*]') as job
            where coalesce(job ->> 'lane_id', steps[3]) = steps[3])
       else true end
$$;
