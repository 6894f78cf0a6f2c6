-- What the observer of a path is told: the path as the caller gave it.
begin;
select plan(4);

-- given
select tap.open_door();
create function pg_temp.look(p jsonb) returns jsonb language sql as $$
  select striatumd.observe_path_place(null, p)
$$;

-- does
select is(pg_temp.look('{"path": "/srv/../é", "init": true}'), '{"path": "/srv/../é"}',
  'the path, and nothing else of the request');
select is(pg_temp.look('{}'), '{"path": null}', 'none where there is none');

-- around the door
select is(tap.ask('ada', 'repo.resolve', '{"path": "/srv/app"}', '{}', '{"phase": "preflight"}'),
  '{"ok": true, "observe": {"path_place": {"path": "/srv/app"}}}', 'the daemon is told');
select is_empty('select * from striatumd.audit_log', 'and the request goes on');

select * from finish();
rollback;
