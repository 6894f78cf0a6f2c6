-- What events tell of the things that they change, and where one does not follow on another.
begin;
select plan(16);

-- given: a job that is made, queued, claimed, and a message beside it
create function pg_temp.event(p_id int, variadic p_changes jsonb[]) returns jsonb
  language sql as $$
  select jsonb_build_object('event_id', p_id::text, 'changes', to_jsonb(p_changes))
$$;
create function pg_temp.job(p_from jsonb, p_to jsonb) returns jsonb language sql as $$
  select striatumd.change('job', 'j', p_from, p_to)
$$;
create temp table history as select n, event from unnest(array[
  pg_temp.event(1, pg_temp.job(null, '{"state": "pending", "attempt": 1, "lane": null}')),
  pg_temp.event(2, pg_temp.job('{"state": "pending"}', '{"state": "queued"}'),
    striatumd.change('message', 'm', null, '{"state": "pending"}')),
  pg_temp.event(4, pg_temp.job('{"state": "queued", "lane": null}',
      '{"state": "claimed", "lane": "a"}'),
    striatumd.change('message', 'm', '{"state": "pending"}', '{"state": "claimed"}')),
  pg_temp.event(7, pg_temp.job('{"state": "claimed"}', '{"state": "running"}'),
    pg_temp.job('{"state": "running"}', '{"state": "completed"}'))])
    with ordinality as e (event, n);
create function pg_temp.fold(p_without int default 0, p_also jsonb default null) returns jsonb
  language sql as $$
  select striatumd.fold(jsonb_agg(event order by n)) from (
    select n, event from history where n <> p_without
     union all select 9, p_also where p_also is not null) as told
$$;
create function pg_temp.also(p_change jsonb) returns text language sql as $$
  select string_agg(concat_ws(' ', d ->> 'event_id', d ->> 'of', d ->> 'id', d ->> 'column',
           d -> 'said', d -> 'known'), ', ')
    from jsonb_array_elements(pg_temp.fold(0, pg_temp.event(9, p_change)) -> 'differences') d
$$;

-- does
select is(striatumd.fold('[]'), '{"state": {}, "differences": []}', 'no event tells nothing');
select is(striatumd.fold('[{"event_id": "1"}, {"event_id": "2", "changes": []}]'),
  '{"state": {}, "differences": []}', 'nor does one without changes');
select is(pg_temp.fold() -> 'state', '{"job": {"j": {"state": "completed", "attempt": 1,
  "lane": "a"}}, "message": {"m": {"state": "claimed"}}}',
  'of each column the last change counts, also within an event; what none changes stays');
select is(pg_temp.fold() -> 'differences', '[]', 'each change begins where the one before ended');

-- does: without any one of them, all of it differs
select isnt(pg_temp.fold(n::int), pg_temp.fold(), 'without event ' || (event ->> 'event_id'))
  from history;
select is(pg_temp.fold(2) -> 'differences', '[{"event_id": "4", "of": "job", "id": "j",
    "column": "state", "said": "queued", "known": "pending"},
  {"event_id": "4", "of": "message", "id": "m", "column": null, "said": null, "known": null},
  {"event_id": "4", "of": "message", "id": "m", "column": "state", "said": "pending",
    "known": null}]',
  'and where it shows is named: a column that was another, a thing that was not there');

-- at the boundary
select is(pg_temp.also(change), differs, says) from (values
  (pg_temp.job(null, '{"state": "pending"}'),
    '9 job j null null, 9 job j state null "completed"', 'a thing that is made twice'),
  (striatumd.change('job', 'k', '{"state": "x"}', '{"state": "y"}'),
    '9 job k null null, 9 job k state "x" null', 'a thing that nobody made'),
  (striatumd.change('job', 'k', null, '{"state": "y"}'), null, 'a thing that is made'),
  (striatumd.change('lease', 'j', null, '{"state": "y"}'), null,
    'one of another kind by the same id'),
  (pg_temp.job('{}', '{"state": "y"}'), '9 job j state null "completed"',
    'a change that keeps silent about what was'),
  (pg_temp.job('{"attempt": 2}', '{}'), '9 job j attempt 2 1',
    'a column that was another and does not change'),
  (pg_temp.job('{"attempt": 1}', '{"more": null}'), null, 'a new column that is null')
  ) as boundary (change, differs, says);

select * from finish();
rollback;
