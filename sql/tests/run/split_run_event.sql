-- Events that are split where one payload could not hold all changes.
begin;
select plan(7);

-- given
create function pg_temp.split(p_count int, p_length int, p_more jsonb default '{}') returns jsonb
  language sql as $$
  select striatumd.split_run_event(jsonb_populate_record(null::striatumd.call_context,
      '{"repository_id": "repo_0123456789abcdef", "run_id": "run_0123456789abcdef",
        "client_id": "client_0123456789abcdef"}'), 'run.prepared', 'x',
    coalesce((select jsonb_agg(jsonb_build_object('n', n, 'text', repeat('x', p_length)) order by n)
                from generate_series(1, p_count) n), '[]'), p_more)
$$;

select is(pg_temp.split(0, 0), '[]', 'nothing changed, nothing is told');
select is(jsonb_array_length(pg_temp.split(3, 10)), 1, 'a few changes are one event');
create temp table many as select pg_temp.split(1000, 1000, '{"path": "p"}') as events;
select cmp_ok(jsonb_array_length(events), '>', 4, 'many are several') from many;
select cmp_ok((select max(octet_length((e -> 'payload')::text))
                from jsonb_array_elements(events) e),
  '<', 262144, 'each of which is kept') from many;
select is((select array_agg((c ->> 'n')::int order by i, k)
             from jsonb_array_elements(events) with ordinality as x (e, i),
                  jsonb_array_elements(e #> '{payload,changes}') with ordinality as y (c, k)),
  (select array_agg(n) from generate_series(1, 1000) n), 'in their order, and all of them')
  from many;
select is(jsonb_path_query_array(events, '$[*].payload.path'), '["p"]',
  'what is beside them is told once') from many;
select is(events #>> '{0,payload,path}', 'p', 'and first') from many;

select * from finish();
rollback;
