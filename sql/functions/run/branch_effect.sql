-- The effect that makes the branch of a run, where it is not there.
create function striatumd.branch_effect(p_run striatumd.runs, p_root text) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object('kind', 'branch_present',
    'repository_id', (p_run).repository_id, 'args', pg_catalog.jsonb_build_object(
      'root', p_root, 'branch', (p_run).branch_name, 'commit', (p_run).base_commit,
      'run_id', (p_run).run_id));
end
$$;
