-- Where a file lies that a workflow names.
begin;
select plan(9);

select is(striatumd.packet_reference(source, jsonb_build_object('path', path, 'x', 1), 'path'),
  jsonb_build_object('path', want, 'x', 1), format('%s in %s', path, source))
  from (values ('workflow.json', 'prompts/a.md', 'prompts/a.md'),
    ('flows/one/workflow.json', 'prompts/a.md', 'flows/one/prompts/a.md'),
    ('flows/one/workflow.json', './a.md', 'flows/one/a.md'),
    ('flows/one/workflow.json', '../a.md', 'flows/a.md'),
    ('flows/one/workflow.json', '../../../a.md', 'a.md'),
    ('flows/w.json', 'a//b/../c.md', 'flows/a/c.md')) as paths (source, path, want);
select is(striatumd.packet_reference('w.json', '{"x": 1}', 'path'), '{"x": 1}',
  'what names none stays as it is');
select is(striatumd.packet_reference('w.json', null, 'path'), '{}', 'nothing is an empty object');
select is(striatumd.packet_reference('a/w.json', '{"definition_path": "b"}', 'definition_path'),
  '{"definition_path": "a/b"}', 'under any key');

select * from finish();
rollback;
