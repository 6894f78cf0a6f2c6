-- doctor, audit_chain: each audit row follows from the one before.
begin;
select plan(8);

-- given
select tap.open_door();
select tap.plant('test.echo');
select is(striatumd.check_audit_chain(10) ->> 'message', 'the audit chain is empty',
  'nothing was asked yet');
select count(tap.ask('ada', 'test.echo', '{}')) from generate_series(1, 3);

-- does
select is(striatumd.check_audit_chain(most), jsonb_build_object('plane', 'provenance',
  'name', 'audit_chain', 'ok', true, 'message', message, 'affected', '[]'::jsonb,
  'next', '[]'::jsonb), 'healthy, of ' || most) from (values
  (2, 'the newest 2 of 3 audit rows follow one from another'),
  (3, 'all 3 audit rows follow one from another'),
  (9223372036854775806, 'all 3 audit rows follow one from another')) as healthy (most, message);

set local session_replication_role = replica;
select is(tap.after('update striatumd.audit_log set client_id = null where audit_id = 2',
  'select striatumd.check_audit_chain(9)')::jsonb, '{"plane": "provenance", "name": "audit_chain",
    "ok": false, "message": "the audit chain is broken", "affected": ["2"],
    "next": ["striatum db export-chains DIR, and striatum-verify DIR"]}', 'one row that changed');
select is(tap.after('update striatumd.audit_log set row_hash = repeat(''0'', 64)',
  'select striatumd.check_audit_chain(9) -> ''affected''')::jsonb, '["1", "2", "3"]',
  'all are named, in their order');

-- at the boundary
select is(tap.after('update striatumd.audit_log set client_id = null where audit_id = 1',
  'select striatumd.check_audit_chain(2) -> ''ok'''), 'true', 'an older row was not looked at');
select is(tap.after('delete from striatumd.audit_log where audit_id = 3',
  'select striatumd.check_audit_chain(9) ->> ''message'''),
  'all 2 audit rows follow one from another', 'that the end was cut off shows only outside');

select * from finish();
rollback;
