-- A run as replies show it, at an instant: one that has not finished lasts until then.
create function striatumd.run_shown(p striatumd.runs, p_at timestamptz) returns jsonb
  language sql immutable parallel safe
as $$
  select pg_catalog.jsonb_build_object(
    'run_id', (p).run_id,
    'workflow', (p).workflow_id || ' @ ' || (p).workflow_version,
    'name', (p).name,
    'state', (p).state,
    'branch_name', (p).branch_name,
    'base_commit', (p).base_commit,
    'created_at', striatumd.utc_micros((p).created_at),
    'started_at', striatumd.utc_micros((p).started_at),
    'completed_at', striatumd.utc_micros((p).finished_at),
    'duration_ms', pg_catalog.floor(1000 * pg_catalog.date_part('epoch',
      coalesce((p).finished_at, p_at) - (p).started_at))::bigint,
    'completion_mode', (p).completion_mode,
    'stop_reason', (p).stop_reason)
$$;
