-- doctor, grant_drift: the runtime login holds the door and nothing else.
begin;
select plan(3);

-- does
select is(striatumd.check_grant_drift(), '{"plane": "provenance", "name": "grant_drift",
  "ok": true, "message": "the runtime login holds the door and nothing else", "affected": [],
  "next": []}', 'healthy');
grant delete on striatumd.events to striatumd_rw;
select is(striatumd.check_grant_drift(), '{"plane": "provenance", "name": "grant_drift",
  "ok": false, "message": "the runtime login holds what it should not",
  "affected": ["delete on events"], "next": ["striatum db plan", "striatum db apply"]}',
  'a privilege too many');
grant execute on function striatumd.now() to striatumd_rw;
select is(striatumd.check_grant_drift() -> 'affected',
  '["delete on events", "execute on striatumd.now()"]', 'all are named');

select * from finish();
rollback;
