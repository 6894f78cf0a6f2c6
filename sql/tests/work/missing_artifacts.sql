-- What a job has not published.
begin;
select plan(4);

select tap.open_door(), tap.run_stage(), tap.session('one', 'author');
create function pg_temp.publish(p_session text, p_job text, p_name text,
    p_attempt integer default 1)
  returns text language sql as $$
  insert into striatumd.artifacts (artifact_id, repository_id, run_id, job_id, attempt, session_id,
    lease_id, logical_name, kind, repo_path, content_sha256, octets, placement, published_at)
  values (tap.id('art', p_job || p_name || p_attempt), tap.id('repo', 'app'), tap.id('run', 'r'),
    tap.id('job', 'r.' || p_job), p_attempt, tap.id('sess', p_session),
    tap.id('lease', p_session || 'r.' || p_job), p_name, 'handoff', 'docs/' || p_name || '.md',
    repeat('d', 64), 1, 'git_publication', now()) returning artifact_id
$$;

create function pg_temp.missing() returns jsonb language sql as $$
  select striatumd.missing_artifacts(j) from striatumd.jobs j where workflow_job_id = 'draft'
$$;
select is(pg_temp.missing(), '[{"logical_name": "draft", "kind": "handoff", "path":
  "docs/draft.md"}]', 'all of it, at first');
select pg_temp.publish('one', 'draft', 'draft', 2);
select is(jsonb_array_length(pg_temp.missing()), 1, 'another attempt''s does not count');
select pg_temp.publish('one', 'draft', 'draft');
select is(pg_temp.missing(), '[]', 'nothing, once it is published');
update striatumd.jobs set spec = spec - 'expected_artifacts';
select is(pg_temp.missing(), '[]', 'nor where nothing is expected');

select * from finish();
rollback;
