-- How much of a run may be worked on at once, and what is.
begin;
select plan(6);

-- given
select tap.open_door(), tap.run_stage(), tap.run_stage('s');
select tap.session('one', 'author'), tap.session('other', 'author', 's');
select tap.leased('other', 's.draft');

-- does
select is(striatumd.parallelism(tap.id('run', 'r')), '{"mode": "declared", "max_active_jobs": 4,
  "is_disjoint": false, "active": []}', 'as its workflow says; another run''s work is not its own');
select tap.leased('one', 'r.draft', 'claimed');
select is(jsonb_path_query_array(striatumd.parallelism(tap.id('run', 'r')), '$.active[*].job'),
  '["draft"]', 'what is claimed is active');
update striatumd.leases set state = 'released', ended_at = now(), release_reason = 'x';
select is(striatumd.parallelism(tap.id('run', 'r')) -> 'active', '[]', 'until its lease ends');

-- at the boundary
alter table striatumd.workflow_snapshots disable trigger user;
create function pg_temp.says(p_parallelism jsonb) returns jsonb language plpgsql as $$
begin
  update striatumd.workflow_snapshots
     set workflow = jsonb_set(workflow, '{parallelism}', p_parallelism)
   where run_id = tap.id('run', 'r');
  return striatumd.parallelism(tap.id('run', 'r'));
end
$$;
select is(pg_temp.says('{"max_active_jobs": 0, "require_disjoint_write_scopes": true}'), '{
  "mode": null, "max_active_jobs": 1, "is_disjoint": true, "active": []}', 'one may always run');
select is(pg_temp.says('{"mode": "declared", "max_active_jobs": "2"}') -> 'max_active_jobs',
  'null', 'what is no number is no limit');
select is(pg_temp.says('{}'), null, 'a workflow that says nothing');

select * from finish();
rollback;
