-- What the runtime login can read, as one word.
-- STR-READSCOPE-07: the four gates, each of which alone makes the difference.
-- STR-READSCOPE-06: the word comes from live probes, of rights and of who owns what.
begin;
select plan(19);

-- given
create function pg_temp.scope(p_right text) returns text language sql as $$
  select tap.after(format('grant select %s to %I', p_right, 'striatumd_rw_' || current_database()),
    'select striatumd.read_scope()')
$$;
create temp view beside as               -- all that no gate closes
  select string_agg(format('striatumd.%I', relname), ', ') as tables from pg_class
   where relnamespace = 'striatumd'::regnamespace and relkind in ('r', 'p', 'v')
     and relname not in ('clients', 'principals', 'principal_clients', 'client_sessions');

-- does
select is(striatumd.read_scope(), 'door_only', 'as installed, every read goes through the door');
select is(pg_temp.scope(name), 'partial_projection_gated', 'open, and no gate with it: ' || name)
  from unnest(array['on striatumd.repositories', '(kind) on striatumd.effects',
    '(client_id, display_name, created_at, expires_at, revoked_at) on striatumd.clients',
    '(link_number, client_id, linked_at, unlinked_at) on striatumd.principal_clients']) as name;
select is(pg_temp.scope('on ' || tables), 'partial_projection_gated', 'all the other tables')
  from beside;
select is(pg_temp.scope(gate), 'broad_runtime_select', 'the gate is open: ' || gate)
  from unnest(array['on striatumd.clients', '(token_hash) on striatumd.clients',
    '(token_salt) on striatumd.clients', 'on striatumd.principals',
    '(kind) on striatumd.principals', 'on striatumd.principal_clients',
    '(principal_id) on striatumd.principal_clients', 'on striatumd.client_sessions',
    '(bound_at) on striatumd.client_sessions']) as gate;
select is(tap.after(format('alter table striatumd.%I owner to %I', of,
      'striatumd_rw_' || current_database()), 'select striatumd.read_scope()'), scope,
    'whose table it is reads ' || of)
  from (values ('principals', 'broad_runtime_select'), ('events', 'partial_projection_gated'))
    as owned (of, scope);

-- at the boundary
select is(pg_temp.scope('on all tables in schema striatumd'), 'broad_runtime_select',
  'all of it');
create table striatumd.principals_of_old (n int);
select is(pg_temp.scope('on striatumd.principals_of_old'), 'partial_projection_gated',
  'a table that is merely called alike is no gate');

select * from finish();
rollback;
