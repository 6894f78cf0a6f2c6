-- doctor, lane_isolation: what may be claimed about forgery.
begin;
select plan(6);

-- given
create temp table found as
  select striatumd.check_lane_isolation('{"user": "builder", "uid": 1000}') as f;

-- does
select is(f - 'message', '{"plane": "provenance", "name": "lane_isolation", "ok": true,
  "affected": [], "next": []}', 'it is no fault') from found;
select matches(f ->> 'message', '^shared_user: .*own user \(builder\)',
  'the posture is named, with the user') from found;
select matches(f ->> 'message', 'neither prevented nor detected', 'nothing is claimed') from found;

-- refuses: the words that hold under separate_user, or with an anchor, alone
select unalike(f ->> 'message', '%cannot forge%', 'not that an agent cannot') from found;
select doesnt_match(f ->> 'message', '\m(is|are|be|gets?) detected\M', 'nor that it shows')
  from found;

-- at the boundary
select matches(striatumd.check_lane_isolation('{}') ->> 'message', '\(unknown\)',
  'a user that was not looked at is unknown');

select * from finish();
rollback;
