-- doctor, write_boundary.
begin;
select plan(6);

create function pg_temp.found(p_statement text) returns jsonb language sql as $$
  select tap.after(p_statement, 'select striatumd.check_write_boundary()::text')::jsonb
$$;

select is(striatumd.check_write_boundary(), '{"plane": "provenance", "name": "write_boundary",
  "ok": true, "message":
  "nobody but the owner''s functions writes what is recorded, and nobody changes it",
  "affected": [], "next": []}', 'as installed all is protected');
select is(pg_temp.found('drop trigger append_only on striatumd.events;
    drop trigger append_only on striatumd.audit_log'), '{"plane": "provenance",
  "name": "write_boundary", "ok": false, "message":
  "what was recorded could be changed without a trace in these tables",
  "affected": ["audit_log", "events"], "next": ["striatum db plan", "striatum db apply"]}',
  'what can be changed is named, each of it');
select is(pg_temp.found('drop trigger append_only on striatumd.artifacts') -> 'affected',
  '["artifacts"]', 'artifacts that can be changed are named');
select is(pg_temp.found('drop trigger append_only on striatumd.events') -> 'affected', '["events"]',
  'events that can be changed are named, whatever the word for the boundary is');
select is(pg_temp.found('grant update on striatumd.audit_log to striatumd_rw') -> 'ok', 'false',
  'an audit log that is open is a fault');
select is(pg_temp.found('drop trigger never_emptied on striatumd.audit_log') -> 'next',
  '["striatum db plan", "striatum db apply"]', 'with what to do');

select * from finish();
rollback;
