-- Jobs as a workflow has them, with what is left out.
-- STR-REVIEW-03: a review with a fresh context is stored as one that wants a fresh session.
begin;
select plan(3);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
delete from striatumd.job_edges;
delete from striatumd.job_cycles;
delete from striatumd.queue_messages;
delete from striatumd.jobs;

create temp table made as select striatumd.materialize_jobs(r, '{"jobs": [
  {"id": "a", "role_id": "author", "write_scope": {"repo_write": true}},
  {"id": "b", "type": "phase_synthesis", "title": "B", "role_id": "author", "lane_id": "author",
   "reviewer_context_policy": "fresh", "write_scope": {"repo_write": false}},
  {"id": "c", "type": "review", "role_id": "author", "reviewer_context_policy": "cross_round",
   "write_scope": {"repo_write": false}}],
  "edges": [{"from": "a", "to": "b"}], "cycles": []}') as changes from striatumd.runs r;
select rows_are(
  $$ select workflow_job_id, job_type, title, lane_id, is_verdict, is_repo_write, is_fresh
       from striatumd.jobs order by ordinal $$,
  $$ values ('a', 'generic', 'a', null, false, true, false),
            ('b', 'phase_synthesis', 'B', 'author', true, false, true),
            ('c', 'review', 'c', null, true, false, false) $$,
  'a type, a title, a lane may be left out; freshness has two names');
select is((select count(*) from striatumd.job_edges), 1::bigint, 'with the edge');
select is(jsonb_path_query_array(changes, '$[*].to.workflow_job_id'), '["a", "b", "c"]',
  'each is a change') from made;

select * from finish();
rollback;
