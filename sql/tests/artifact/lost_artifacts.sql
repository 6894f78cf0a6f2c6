-- What should be there when a job ends, and is not.
begin;
select plan(3);

-- given
select tap.open_door(), tap.run_stage();
select tap.session('one', 'author'), tap.published('one', 'r.draft');
create function pg_temp.lost(p_more jsonb) returns jsonb language plpgsql as $$
declare
  v_call striatumd.call_context := tap.call();
begin
  v_call.observed := tap.copies(p_more);
  return striatumd.lost_artifacts(v_call, tap.id('job', 'r.draft'));
end
$$;

-- does
select is(pg_temp.lost('{}'), '[]', 'nothing');
select is(pg_temp.lost('{"state": "missing"}'), jsonb_build_array(jsonb_build_object('artifact_id',
  tap.id('art', 'r.draft'), 'workflow_job_id', 'draft', 'path', 'docs/draft.md', 'content_sha256',
  repeat('d', 64), 'placement', 'git_publication', 'readback', 'missing')), 'what is gone');
select is(pg_temp.lost('{"state": "missing", "is_committed": true}'), '[]', 'not from git');

select * from finish();
rollback;
