-- What a workflow names and is not there.
begin;
select plan(11);

create function pg_temp.missing(p_pointer text, p_kind text, p_state text,
    p_more jsonb default '{}')
  returns jsonb language sql as $$
  select striatumd.missing_parts(jsonb_build_object('problems', '[]'::jsonb, 'workflow', '{
      "context_docs": [{"path": "x"}, {"path": "x", "required": false}, "x"],
      "lanes": {"a": {"adapter": "process"}, "b": {"adapter": "process"}, "c": {"adapter": "none"}},
      "jobs": [{"lane_id": "a"}, {"lane_id": "c"}]}'::jsonb,
    'parts', jsonb_build_array(jsonb_build_object('pointer', p_pointer, 'kind', p_kind,
      'what', 'x', 'state', p_state))) || p_more)
$$;

-- does
select is(pg_temp.missing('/jobs/0/task_prompt/path', 'file', 'missing'), '[{"code":
  "file_missing", "pointer": "/jobs/0/task_prompt/path", "message":
  "names x, and there is no such file", "hint": "put it there, or name another one"}]',
  'a file that is missing');
select is(pg_temp.missing('/roles/a/definition_path', 'file', state) #>> '{0,code}', code, state)
  from (values ('escapes', 'file_refused'), ('no_file', 'file_refused'),
    ('unknown', 'file_unreadable'), ('present', null)) as states (state, code);
select is(pg_temp.missing('/lanes/a/command/0', 'program', 'missing'), '[{"code":
  "program_missing", "pointer": "/lanes/a/command/0", "message":
  "names x, and neither the lane nor the daemon has that program", "hint":
  "install it, add its folder to path_prefix of the lane, or name it by its path"}]',
  'a program');
select is(pg_temp.missing('/lanes/b/command/0', 'program', 'missing'), '[]',
  'not one of a lane in which no job runs');
select is(pg_temp.missing('/lanes/b/command/0', 'program', 'missing', '{"workflow":
  {"lanes": {"b": {"adapter": "process"}}, "jobs": [{}]}}') #>> '{0,code}', 'program_missing',
  'but where a job may run in any');
select is(pg_temp.missing('/lanes/c/command/0', 'program', 'missing'), '[]',
  'nor one that starts no process');

-- at the boundary
select is(jsonb_build_array(
    pg_temp.missing('/context_docs/0/path', 'file', 'missing') #> '{0,code}',
    pg_temp.missing('/context_docs/1/path', 'file', 'missing') #> '{0,code}',
    pg_temp.missing('/context_docs/2', 'file', 'missing') #> '{0,code}'),
  '["file_missing", null, "file_missing"]', 'context that is not required need not be there');
select is(pg_temp.missing('/jobs/0/task_prompt/path', 'file', 'escapes', '{"problems":
  [{"pointer": "/jobs/0/task_prompt/path"}]}'), '[]', 'what the checks found is told once');

select * from finish();
rollback;
