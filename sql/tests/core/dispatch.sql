-- A method is run by the name that the owner's tables give it.
begin;
select plan(11);

-- given
select tap.open_door();
select tap.plant('test.echo');
select tap.plant('test.refuse', '{}', $$
  perform striatumd.refuse('repo_git_missing', 'no', '{}', '{x}'); $$);
select tap.plant('test.give_up', '{}', $$
  return row(null, '{"code": "x"}', '[]', '[]', '[]', null)::striatumd.decision; $$);
select tap.plant('test.nothing', '{}', 'return null;');
select tap.plant('test.blank', '{}', $$
  return row(null, null, '[]', '[]', '[]', null)::striatumd.decision; $$);
create function pg_temp.dispatch(p_function text) returns jsonb language sql as $$
  select tap.authorize();
  select to_jsonb(striatumd.dispatch(p_function, null, '{"a": 1}'))
$$;

-- does
select is(pg_temp.dispatch('test_echo'), '{"data": {"a": 1}, "refusal": null, "events": [],
  "effects": [], "wakes": [], "unsettled": null}', 'what it decided is handed on');
select is(pg_temp.dispatch('test_give_up') -> 'refusal', '{"code": "x"}', 'a lasting refusal, too');

-- refuses
select throws_ok($$ select pg_temp.dispatch('test_refuse') $$, 'ST001', 'repo_git_missing',
  'a refusal passes through');
select throws_ok(format('select pg_temp.dispatch(%L)', name), 'P0001', name || ' decided nothing',
  name || ' decided nothing') from unnest(array['test_nothing', 'test_blank']) as name;
select throws_ok(format('select pg_temp.dispatch(%L)', name), '42883', null,
  'there is no ' || name) from unnest(array['test.echo', 'Test_echo', 'now()']) as name;
select is(tap.sqlstate_of($$ select pg_temp.dispatch('test_echo"($1, $2); drop table x; --') $$),
  '42883', 'a name is a name, whatever stands in it');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select striatumd.dispatch('test_echo', null, '{}') $$, '28000',
  'daemon_authority_missing', 'nothing runs without the daemon''s secret');
select is(tap.sqlstate_of($$ select striatumd.dispatch('test_echo', null, '{}') $$, login), '42501',
  'nor by the runtime login') from unnest(array['striatumd_rw']) as login;

select * from finish();
rollback;
