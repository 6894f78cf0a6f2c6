-- The durable tables that the database itself protects; write_boundary tries each way to lose one.
begin;
select plan(5);

create function pg_temp.after(p_statement text) returns text language sql as $$
  select tap.after(p_statement,
    'select string_agg(t, '' '' order by t) from striatumd.protected_tables() t')
$$;
select is(pg_temp.after('select'), 'artifacts audit_log events', 'all that there are');
select is(pg_temp.after('drop trigger append_only on striatumd.events'), 'artifacts audit_log',
  'one that can be changed is none of them');
select is(pg_temp.after('grant insert on striatumd.audit_log_1 to striatumd_rw'),
  'artifacts events', 'nor one of which a partition is open');

-- at the boundary
select is(pg_temp.after('create table public.events (n int)'), 'artifacts audit_log events',
  'a table of that name elsewhere takes nothing away');
select is(pg_temp.after(format('revoke striatumd_rw from %I; grant update on striatumd.events
      to striatumd_rw', 'striatumd_rw_' || current_database())), 'artifacts audit_log',
  'nor is one protected that is open to the role of all logins alone');

select * from finish();
rollback;
