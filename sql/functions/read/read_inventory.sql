-- Which tables the runtime login may read: every table of the schema, and its class. `sealed` is
-- not at all. A table that is missing here fails a test.
create function striatumd.read_inventory() returns table (table_name text, read_class text)
  language sql immutable parallel safe
as $$
  select name, 'sealed' from pg_catalog.unnest(array[
    'artifacts', 'audit_log', 'audit_log_1', 'blockers', 'client_capabilities',
    'client_sessions', 'clients', 'command_requests', 'daemon_authority', 'effects',
    'error_codes', 'events', 'events_1', 'installation', 'job_attempts', 'job_cycles',
    'job_edges', 'jobs', 'leases', 'methods', 'owner_bundles', 'principal_clients',
    'principals', 'process_supervisors', 'queue_messages', 'repositories', 'runs',
    'session_liveness', 'sessions', 'verdicts', 'work_packets', 'workflow_snapshots']) as name
$$;
