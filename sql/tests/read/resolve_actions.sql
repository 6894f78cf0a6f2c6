-- What may be done about a blocker.
begin;
select plan(6);

create function pg_temp.actions(p_change jsonb) returns jsonb language sql as $$
  select striatumd.resolve_actions(jsonb_populate_record(null::striatumd.blockers,
    '{"blocker_id": "blk_0000000000000001", "run_id": "run_0000000000000001", "kind": "test",
      "job_id": "job_0000000000000001", "severity": "blocked", "state": "open"}'
    || p_change))
$$;
select is(pg_temp.actions('{"kind": "review_rejected"}'), '[
  "striatum checkpoint resolve blk_0000000000000001 continue --reason TEXT",
  "striatum checkpoint resolve blk_0000000000000001 override --reason TEXT",
  "striatum checkpoint resolve blk_0000000000000001 cancel --reason TEXT"]',
  'three choices where a verdict stands in the way');
select is(jsonb_array_length(pg_temp.actions('{"job_id": null}')), 3,
  'and where a gate of the run does');
select is(pg_temp.actions('{}'), '[
  "striatum checkpoint resolve blk_0000000000000001 continue --reason TEXT",
  "striatum checkpoint resolve blk_0000000000000001 cancel --reason TEXT"]',
  'else there is nothing to override');
select is(pg_temp.actions('{"kind": "lease_owner_gone"}'),
  '["striatum recovery requeue-stale job_0000000000000001 --force --reason TEXT"]',
  'a job whose agent died, and may have changed the repository, is taken by force');
select is(pg_temp.actions('{"kind": "recovery_exhausted"}'),
  '["striatum recovery requeue-stale job_0000000000000001 --reason TEXT"]',
  'and one whose agents died too often without');
select is(pg_temp.actions('{"state": "resolved"}'), '[]', 'and what was resolved needs nothing');

select * from finish();
rollback;
