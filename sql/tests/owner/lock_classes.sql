-- Bundle V0008__lock_classes: how a method may lock a run, beside what it could lock before.
begin;
select plan(9);

select is(enum_range('run'::striatumd.lock_class, null)::text[],
  array['run', 'session', 'job', 'blocker', 'supervisor', 'repository_run'],
  'a run is found from each of these');
select is(enum_range(null, 'effect'::striatumd.lock_class)::text[],
  array['none', 'repository', 'effect'], 'what was there before is there');

-- A method may be registered with each, and with no other.
create function pg_temp.planted(p_class text) returns text language sql as $$
  select format('select tap.plant(%L, %L)', 'thing.' || p_class,
    jsonb_build_object('lock_class', p_class, 'scope', 'single_repo'))
$$;
select lives_ok(pg_temp.planted(class), 'a method that locks by ' || class)
  from unnest(array['run', 'session', 'job', 'blocker', 'supervisor', 'repository_run']) as class;
select throws_ok(pg_temp.planted('runs'), '22P02', null, 'there is no other');

select * from finish();
rollback;
