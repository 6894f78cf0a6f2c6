-- Work whose artifacts cannot be looked at does not go on. As a whole: see checkpoint_resolve.
begin;
select plan(5);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
create function pg_temp.published(p_name text, p_attempt int default 1) returns void
  language plpgsql as $$ begin
  execute (select tap.row_of('artifacts', to_jsonb(j), jsonb_build_object('artifact_id',
    tap.id('art', p_name || p_attempt), 'attempt', p_attempt, 'session_id', tap.id('sess', 's'),
    'lease_id', tap.id('lease', 'l'), 'logical_name', p_name, 'kind', 'handoff',
    'repo_path', format('docs/%s.md', p_name), 'octets', 1, 'content_sha256', repeat('d', 64),
    'placement', 'git_publication', 'published_at', now()))
    from striatumd.jobs j where job_id = tap.id('job', 'r.draft'));
end $$;
create function pg_temp.call() returns striatumd.call_context language plpgsql as $$
declare
  v_call striatumd.call_context;
begin
  v_call.repository_id := tap.id('repo', 'app');
  v_call.run_id := tap.id('run', 'r');
  v_call.client_id := tap.client_id('ada');
  v_call.at := '2026-01-02Z';
  v_call.observed := '{}';
  return v_call;
end
$$;
create function pg_temp.readback(p_files jsonb) returns text language plpgsql as $$
declare
  v_call   striatumd.call_context := pg_temp.call();
  v_detail text;
begin
  v_call.observed := jsonb_build_object('artifact_copies', jsonb_build_object('files', p_files));
  perform striatumd.refuse_uninspectable(v_call, j, '{then}')
     from striatumd.jobs j where job_id = tap.id('job', 'r.draft');
  return 'may';
exception when sqlstate 'ST001' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail::jsonb #>> '{details,artifacts,0,readback}';
end
$$;
create function pg_temp.file(p_more jsonb) returns jsonb language sql as $$
  select jsonb_build_array(jsonb_build_object('path', 'docs/draft.md', 'state', 'present',
    'sha256', repeat('d', 64)) || p_more)
$$;

-- does
select is(pg_temp.readback('[]'), 'may', 'what published nothing has nothing to show');
select pg_temp.published('draft');
select is(pg_temp.readback(pg_temp.file('{}')), 'may', 'a file that is there as it was');

-- refuses
select is(pg_temp.readback('[]'), 'unseen', 'one that was not looked at');
select is(pg_temp.readback(pg_temp.file('{"state": "missing"}')), 'missing', 'one that is gone');
select is(pg_temp.readback(pg_temp.file('{"sha256": "x"}')), 'differs', 'one that is another');

select * from finish();
rollback;
