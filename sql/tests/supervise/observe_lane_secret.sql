-- A session's agent gets a token of its own.
begin;
select plan(1);

select is(striatumd.observe_lane_secret(null, '{"session_id": "x"}'), '{}',
  'whoever makes the secret looks at nothing');

select * from finish();
rollback;
