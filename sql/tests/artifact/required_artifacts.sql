-- What an attempt has published of what it has to.
begin;
select plan(2);

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
select pg_temp.published('b'), pg_temp.published('b', 2), pg_temp.published('a'),
       pg_temp.published('c'), pg_temp.published('more');
create function pg_temp.required(p_expected jsonb) returns text language sql as $$
  select string_agg(concat(a.logical_name, a.attempt), ' ')
    from striatumd.jobs j,
         striatumd.required_artifacts(jsonb_populate_record(j, jsonb_build_object('spec',
           jsonb_build_object('expected_artifacts', p_expected)))) a
   where j.job_id = tap.id('job', 'r.draft')
$$;

-- does
select is(pg_temp.required('[{"logical_name": "b"}, {"logical_name": "a", "required": true},
  {"logical_name": "c", "required": false}, {"logical_name": "d"}]'), 'a1 b1',
  'by their names, of this attempt');
select is(pg_temp.required('[]'), null, 'nothing, where nothing is expected');

select * from finish();
rollback;
