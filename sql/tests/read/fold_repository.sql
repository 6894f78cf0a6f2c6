-- A repository as its events alone tell it.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.authorize();
create function pg_temp.tell(p_repository text, variadic p_changes jsonb[]) returns void
  language sql as $$
  select striatumd.append_events(jsonb_build_array(striatumd.event(p_repository,
    'repository.changed', 'test', 'c', to_jsonb(p_changes))))
$$;
create function pg_temp.app(p_to jsonb) returns jsonb language sql as $$
  select striatumd.change('repository', 'app', '{"state": "x", "root": "/x"}', p_to)
$$;

-- does
select is(striatumd.fold_repository('app'), null, 'without an event it is unknown');
select pg_temp.tell('app', pg_temp.app('{"root": "/srv/app", "state": "active", "end": null}'));
select is(striatumd.fold_repository('app'), '{"root": "/srv/app", "state": "active", "end": null}',
  'the first event tells all of it');
select pg_temp.tell('app', pg_temp.app('{"state": "a"}'), pg_temp.app('{"state": "b"}'));
select is(striatumd.fold_repository('app'), '{"root": "/srv/app", "state": "b", "end": null}',
  'of what changed the last change counts, and what did not stays');
select pg_temp.tell('app', pg_temp.app('{"state": "gone", "end": "today"}'));
select is(striatumd.fold_repository('app'),
  '{"root": "/srv/app", "state": "gone", "end": "today"}', 'also that of a later event');

-- at the boundary
select pg_temp.tell('next', pg_temp.app('{"root": "/elsewhere"}'));
select pg_temp.tell('app', striatumd.change('repository', 'next', null, '{"root": "/elsewhere"}'),
  striatumd.change('run', 'app', null, '{"root": "/elsewhere"}'));
select is(striatumd.fold_repository('app') ->> 'root', '/srv/app',
  'another chain, another repository and another kind of thing tell nothing of it');
select pg_temp.tell('app', variadic '{}');
select is(striatumd.fold_repository('app') ->> 'root', '/srv/app',
  'nor does an event without changes');

select * from finish();
rollback;
