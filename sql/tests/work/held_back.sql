-- What has to wait although it is in the queue.
-- B021: never more jobs at once than the workflow allows, never two on one lane.
begin;
select plan(12);

-- given
select tap.open_door(), tap.run_stage();
select tap.authorize();
create function pg_temp.held(p_parallelism jsonb, p_lane text default 'author') returns jsonb
  language sql as $$
  select striatumd.held_back(j, p_lane, p_parallelism) from striatumd.jobs j
   where workflow_job_id = 'draft'
$$;
create function pg_temp.beside(p_active jsonb, p_more jsonb default '{}') returns text
  language sql as $$
  select pg_temp.held('{"mode": "declared", "is_disjoint": true}' || p_more
    || jsonb_build_object('active', jsonb_build_array('{"job_id": "j", "job": "x"}' || p_active)))
    ->> 'reason'
$$;

-- does
select is(pg_temp.held('{"max_active_jobs": 2, "active": [{"job_id": "a"}, {"job_id": "b"}]}'),
  '{"reason": "active_jobs_at_limit", "job_id": "a", "message":
    "2 of at most 2 jobs of the run are active (parallelism.max_active_jobs)"}', 'at the limit');
select is(pg_temp.held('{"max_active_jobs": 2, "active": [{"job_id": "a"}]}'), null,
  'not below it');
select is(pg_temp.held('{"mode": "declared", "active": [{"job_id": "j", "job": "x",
  "lane_id": "author"}]}'), '{"reason": "lane_at_work", "job_id": "j", "message":
  "lane author is at work on x, and no parallel_group has both jobs"}', 'a lane that is at work');
select is(pg_temp.beside('{"lane_id": "reviewer"}'), null, 'not another one');
select is(pg_temp.beside('{"lane_id": "author"}', '{"mode": "free"}'), null,
  'nor where nothing is declared');
select is(pg_temp.held('{"is_disjoint": true, "active": [{"job_id": "j", "job": "x",
  "lane_id": "reviewer", "scope": {"allowed_paths": ["docs/x/"]}}]}'),
  '{"reason": "write_scope_in_use", "job_id": "j", "message":
  "x may write to the same paths, and is at work (parallelism.require_disjoint_write_scopes)"}',
  'where another one writes');
select is(pg_temp.beside('{"lane_id": "reviewer", "scope": {"allowed_paths": ["src/"]}}'), null,
  'not where it writes elsewhere');
select is(pg_temp.beside('{"lane_id": "reviewer", "scope": {"allowed_paths": ["docs/"]}}',
  '{"is_disjoint": false}'), null, 'nor where nobody minds');

-- at the boundary
update striatumd.jobs set spec = spec || '{"parallel_group": "g"}';
select is(pg_temp.beside('{"lane_id": "author", "group": "g"}'), null,
  'on one lane, where a group has both');
select is(pg_temp.beside('{"lane_id": "author", "group": "h"}'), 'lane_at_work',
  'and not where it is another''s');
select is(pg_temp.held('{"mode": "declared", "active": [{"lane_id": "author"}]}', null), null,
  'a lane that is any is none that is at work');
select is(pg_temp.held(null), null, 'without limits');

select * from finish();
rollback;
