-- What is to be looked at before a file becomes an artifact.
begin;
select plan(1);

select tap.open_door();
select tap.run_stage();
select tap.session('s', 'author');
select is(tap.ask('s', 'artifact.publish', '{"lease_id": "lease_0", "path": "docs/x.md"}', '{}',
  '{"phase": "preflight"}') #> '{observe,artifact_file}',
  '{"root": "/srv/app", "path": "docs/x.md"}',
  'the path, below the root of the session''s repository');

select * from finish();
rollback;
