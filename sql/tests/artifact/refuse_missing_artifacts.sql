-- Work does not end before it has published what it has to. As a whole: see review/verdict.
-- STR-QUEUE-19: every required artifact.
begin;
select plan(3);

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
create function pg_temp.next() returns text language plpgsql as $$
declare
  v_detail text;
begin
  perform striatumd.refuse_missing_artifacts(j, 'lease_1')
     from striatumd.jobs j where job_id = tap.id('job', 'r.draft');
  return 'may';
exception when sqlstate 'ST001' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return concat(sqlerrm, ': ', v_detail::jsonb #>> '{next,0}');
end
$$;

-- refuses
select is(pg_temp.next(), 'artifact_missing: striatum publish-artifact lease_1 docs/draft.md',
  'what is missing, and what publishes it');
select pg_temp.published('draft', 2);
select is(left(pg_temp.next(), 16), 'artifact_missing', 'also where another attempt has it');

-- does
select pg_temp.published('draft');
select is(pg_temp.next(), 'may', 'else it may end');

select * from finish();
rollback;
