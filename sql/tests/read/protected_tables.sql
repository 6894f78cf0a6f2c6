-- The durable tables that the database itself protects; write_boundary tries each way to lose one.
begin;
select plan(5);

select set_eq('select striatumd.protected_tables()', '{audit_log,events}'::text[],
  'both that there are');
select is(tap.after('drop trigger append_only on striatumd.events',
    'select string_agg(t, '' '') from striatumd.protected_tables() t'), 'audit_log',
  'one that can be changed is none of them');
select is(tap.after('grant insert on striatumd.audit_log_1 to striatumd_rw',
    'select string_agg(t, '' '') from striatumd.protected_tables() t'), 'events',
  'nor one of which a partition is open');

-- at the boundary
select is(tap.after('create table public.events (n int)',
    'select string_agg(t, '' '' order by t) from striatumd.protected_tables() t'),
  'audit_log events', 'a table of that name elsewhere takes nothing away');
select is(tap.after(format('revoke striatumd_rw from %I; grant update on striatumd.events
      to striatumd_rw', 'striatumd_rw_' || current_database()),
    'select string_agg(t, '' '') from striatumd.protected_tables() t'), 'audit_log',
  'nor is one protected that is open to the role of all logins alone');

select * from finish();
rollback;
