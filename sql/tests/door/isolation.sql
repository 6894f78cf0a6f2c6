-- The door answers under READ COMMITTED alone: elsewhere a snapshot would be older than the locks.
begin isolation level repeatable read;
select plan(4);

select tap.open_door();
select tap.plant('test.echo');
select is(current_setting('transaction_isolation'), 'repeatable read', 'under another isolation');
select throws_ok($$ select tap.ask('ada', 'test.echo', '{}') $$, '25001',
  'the door answers under READ COMMITTED alone', 'the door does not answer');
select throws_ok($$ select tap.ask(null, 'x', '{}', '{}', '{"phase": "reject",
  "refusal": {"code": "busy"}}') $$, '25001', null, 'nor takes what ended outside');
select is_empty('select from striatumd.audit_log', 'and no row was written');

select * from finish();
rollback;
