-- The checks of one plane.
begin;
select plan(4);

-- given
create function pg_temp.plane(p_ok boolean[], p_plane text) returns jsonb language sql as $$
  select striatumd.plane(jsonb_agg(jsonb_build_object('plane',
      case when n % 2 = 1 then 'availability' else 'provenance' end, 'name', n, 'ok', ok)), p_plane)
    from unnest(p_ok) with ordinality as checks (ok, n)
$$;

-- does
select is(pg_temp.plane('{t, t, t}', 'availability'), '{"ok": true, "checks": [
  {"name": 1, "ok": true}, {"name": 3, "ok": true}]}', 'a plane is ok while each of its checks is');
select is(pg_temp.plane('{t, f, f}', 'availability'), '{"ok": false, "checks": [
  {"name": 1, "ok": true}, {"name": 3, "ok": false}]}', 'and not as soon as one is not');
select is(pg_temp.plane('{t, f, t}', 'availability') -> 'ok', 'true',
  'what the other plane found does not touch it');
select is(pg_temp.plane('{t, f, t}', 'provenance') -> 'ok', 'false', 'and counts there');

select * from finish();
rollback;
