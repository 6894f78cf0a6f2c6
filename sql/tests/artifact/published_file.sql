-- A file that becomes an artifact. What is refused, and its event: see publish.
begin;
select plan(5);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('s', 'reviewer');
update striatumd.jobs set attempt = 2 where job_id = tap.id('job', 'r.review');
select tap.queued('r.review');
select tap.leased('s', 'r.review');
create function pg_temp.published(p_sha256 text, p_name text default 'review') returns jsonb
  language plpgsql as $$
declare
  v_call striatumd.call_context;
  v_job  striatumd.jobs;
  v_lease striatumd.leases;
begin
  v_call.at := '2026-01-02Z';
  v_call.observed := tap.attested('s') || jsonb_build_object('artifact_file', jsonb_build_object(
    'root', '/srv/app', 'path', 'docs/review.md', 'state', 'present', 'octets', 1,
    'sha256', p_sha256, 'contract', '{"kind": "finding", "problems": []}'::jsonb));
  select * into v_job from striatumd.jobs where job_id = tap.id('job', 'r.review');
  select * into v_lease from striatumd.leases;
  return striatumd.published_file(v_call, v_lease, v_job, 'docs/review.md',
    jsonb_build_object('logical_name', p_name, 'kind', 'finding'), 'again');
exception when sqlstate 'ST001' then
  return to_jsonb(sqlerrm);
end
$$;
do $$ begin
  execute (select tap.row_of('artifacts', to_jsonb(j), jsonb_build_object('artifact_id',
    tap.id('art', 'before'), 'attempt', 1, 'session_id', tap.id('sess', 's'),
    'lease_id', tap.id('lease', 'before'), 'logical_name', 'review', 'kind', 'finding',
    'repo_path', 'docs/review.md', 'octets', 1, 'content_sha256', repeat('d', 64),
    'placement', 'git_publication', 'published_at', now()))
    from striatumd.jobs j where job_id = tap.id('job', 'r.review'));
end $$;

-- does
select is(pg_temp.published(repeat('d', 64)), '"artifact_review_repeated"',
  'a review does not repeat the one before');
create temp table first as select pg_temp.published(repeat('e', 64)) as reply;
select is(reply #>> '{artifact,attempt}', '2', 'another is published, by the attempt that it is')
  from first;
select is(jsonb_array_length(reply -> 'events'), 1, 'with one event') from first;
select is(pg_temp.published(repeat('e', 64)) -> 'events', '[]', 'and once more, with none');
select is(author_line::text, null, 'a file need not be signed') from striatumd.artifacts
 where attempt = 2;

select * from finish();
rollback;
