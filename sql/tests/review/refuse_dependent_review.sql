-- Nobody judges what they published. The refusals around a lease: see submit.
-- STR-REVIEW-11: a session of its own.
begin;
select plan(7);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
create function pg_temp.code(p_job text, p_session text) returns text language plpgsql as $$
begin
  perform striatumd.refuse_dependent_review(j, tap.id('sess', p_session))
     from striatumd.jobs j where job_id = tap.id('job', 'r.' || p_job);
  return 'may';
exception when sqlstate 'ST001' then
  return sqlerrm;
end
$$;
create function pg_temp.published(p_job text, p_attempt int) returns text language sql as $$
  select tap.row_of('artifacts', to_jsonb(j), jsonb_build_object(
    'artifact_id', tap.id('art', p_job), 'attempt', p_attempt, 'session_id', tap.id('sess', 'a'),
    'lease_id', tap.id('lease', 'l'),
    'logical_name', p_job, 'kind', 'handoff', 'repo_path', 'docs/x.md', 'octets', 1,
    'content_sha256', repeat('e', 64), 'placement', 'git_publication', 'published_at', now()))
    from striatumd.jobs j where job_id = tap.id('job', 'r.' || p_job)
$$;

-- does
select is(pg_temp.code('review', 'a'), 'may', 'who published nothing may judge');
select is(tap.after(pg_temp.published('draft', 2), $$ select pg_temp.code('review', 'a') $$), 'may',
  'and so may who published for another attempt');
select is(tap.after(pg_temp.published('synthesis', 1), $$ select pg_temp.code('review', 'a') $$),
  'may', 'or what is not judged');
select is(tap.after(pg_temp.published('draft', 1), $$ select pg_temp.code('review', 'b') $$), 'may',
  'or another');

-- refuses
select is(tap.after(pg_temp.published('draft', 1), $$ select pg_temp.code('review', 'a') $$),
  'review_not_independent', 'who published it may not');
update striatumd.jobs set is_verdict = true where job_id = tap.id('job', 'r.synthesis');
select is(tap.after(pg_temp.published('draft', 1), $$ select pg_temp.code('synthesis', 'a') $$),
  'review_not_independent', 'nor with other jobs in between');
select is(pg_temp.code('draft', 'a'), 'job_takes_no_verdict', 'a job that is no review has none');

select * from finish();
rollback;
