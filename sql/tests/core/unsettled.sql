-- What a method returns when it settles nothing.
begin;
select plan(2);

select is(to_jsonb(striatumd.unsettled('wait', '{"status": "no_work"}', null)), '{
  "data": {"status": "no_work"}, "refusal": null, "events": [], "effects": [], "wakes": [],
  "unsettled": "wait"}', 'whether to wait, and the answer of the last try');
select is(to_jsonb(striatumd.unsettled('look', null, '{"code": "observation_stale"}')), '{
  "data": null, "refusal": {"code": "observation_stale"}, "events": [], "effects": [],
  "wakes": [], "unsettled": "look"}', 'or whether to look again, and what it then refuses with');

select * from finish();
rollback;
