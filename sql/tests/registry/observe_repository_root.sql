-- What the observer of a folder is told.
begin;
select plan(3);

select is(striatumd.observe_repository_root(null, '{"path": "/srv/../x", "init": true}'),
  '{"path": "/srv/../x"}', 'the path as the caller gave it, and nothing else');
select is(striatumd.observe_repository_root(null, '{}'), '{"path": null}', 'or that there is none');

-- through the door
select tap.open_door();
select is(tap.ask('ada', 'repo.add', '{"path": "srv"}', '{}', '{"phase": "preflight"}')
  -> 'observe', '{"repository_root": {"path": "srv"}}', 'the door asks for it before repo.add');

select * from finish();
rollback;
