-- The durable tables that the database itself protects; write_boundary tries each way to lose one.
begin;
select plan(3);

select set_eq('select striatumd.protected_tables()', '{audit_log,events}'::text[],
  'both that there are');
select is(tap.after('drop trigger append_only on striatumd.events',
    'select string_agg(t, '' '') from striatumd.protected_tables() t'), 'audit_log',
  'one that can be changed is none of them');
select is(tap.after('grant insert on striatumd.audit_log_1 to striatumd_rw',
    'select string_agg(t, '' '') from striatumd.protected_tables() t'), 'events',
  'nor one of which a partition is open');

select * from finish();
rollback;
