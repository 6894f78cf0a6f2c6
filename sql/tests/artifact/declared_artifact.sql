-- Under which name and kind a path is published. What is refused: see publish.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
create function pg_temp.declared(p jsonb, p_job text default 'draft', p_expected jsonb default null)
  returns jsonb language plpgsql as $$
declare
  v_job striatumd.jobs;
begin
  select * into v_job from striatumd.jobs where job_id = tap.id('job', 'r.' || p_job);
  v_job.spec := v_job.spec || coalesce(jsonb_build_object('expected_artifacts', p_expected), '{}');
  return striatumd.declared_artifact(v_job, p, '{"logical_name": "review", "kind": "finding"}');
exception when sqlstate 'ST001' then
  return to_jsonb(sqlerrm);
end
$$;

-- does
select is(pg_temp.declared('{"path": "docs/draft.md"}', p_expected => '[{"path": "docs/draft.md",
  "logical_name": "draft", "kind": "handoff"}]'), '{"logical_name": "draft", "kind": "handoff"}',
  'as the workflow expects it there');
select is(pg_temp.declared('{"path": "docs/x.md"}', p_expected => '[]'),
  '{"logical_name": "review", "kind": "finding"}', 'else as the caller says');
select is(pg_temp.declared('{"path": "docs/x.md", "logical_name": "mine"}', p_expected => '[]'),
  '{"logical_name": "mine", "kind": "finding"}', 'under a name of its own');

-- refuses
select is(pg_temp.declared('{"path": "docs/x.md", "kind": "decision"}', p_expected => '[]'),
  '"artifact_not_expected"', 'not as another kind');
select is(pg_temp.declared('{"path": "src/x.md"}', p_expected => '[]'), '"path_outside_scope"',
  'before its first claim the scope is the workflow''s');
select is(pg_temp.declared('{"path": "a\tb"}', p_expected => '[]'), '"path_traversal"',
  'no path with control characters');

select * from finish();
rollback;
