-- Which paths lie in a write scope.
begin;
select plan(14);

select is(striatumd.in_scope(path, '{"allowed_paths": ["docs/", "src/a", "./out"],
    "forbidden_paths": ["docs/secret/", "src/a/b.txt"]}'), is_in,
  path || case when is_in then ' lies in it' else ' does not' end)
  from (values ('docs/x', true), ('docs/sub/x', true), ('docs', true), ('docsx/y', false),
    ('docs/secret', false), ('docs/secret/x', false), ('docs/secrets', true), ('src/a', true),
    ('src/a/c', true), ('src/a/b.txt', false), ('out/x', true)) as paths (path, is_in);
select is(striatumd.in_scope('any/path', '{"allowed_paths": ["."]}'), true,
  'a dot is the whole repository');
select is(striatumd.in_scope('any/path', '{"allowed_paths": []}'), false, 'an empty scope is none');
select is(striatumd.in_scope('any/path', '{}'), false, 'and so is one that says nothing');

select * from finish();
rollback;
