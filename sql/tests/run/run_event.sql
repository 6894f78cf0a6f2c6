-- One event of the run of a call.
begin;
select plan(2);

create temp table call as select ('client_0123456789abcdef', null, 'sess_1', 'repo_1', 'run_1',
  null, null, null, null)::striatumd.call_context as is;
select is(striatumd.run_event("is", 'job.acked', 'why', '[{"of": "job"}]', '{"job_id": "job_1"}',
  '{"extra": 1}'), '{"repository_id": "repo_1", "run_id": "run_1", "event_type": "job.acked",
  "actor_session_id": "sess_1", "job_id": "job_1", "payload": {"changes": [{"of": "job"}],
  "reason": "why", "by": "client_0123456789abcdef", "extra": 1}}',
  'what changed, why, by whom, and what it concerns') from call;
select is(striatumd.run_event("is", 'job.acked', null, '[]', '{}', '{"reason": "x", "by": "y"}')
  -> 'payload', '{"changes": [], "reason": null, "by": "client_0123456789abcdef"}',
  'nobody else says why or by whom') from call;

select * from finish();
rollback;
