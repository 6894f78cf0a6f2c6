-- What was published for a job before.
begin;
select plan(4);

-- given
select tap.open_door(), tap.run_stage(), tap.session('one', 'author'),
       tap.session('two', 'author');
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

select tap.leased('two', 'r.draft');
create function pg_temp.earlier() returns jsonb language sql as $$
  select striatumd.packet_earlier(l) from striatumd.leases l
$$;

select is(pg_temp.earlier(), null, 'nothing where nothing was');
select pg_temp.publish('two', 'draft', 'own'), pg_temp.publish('one', 'review', 'review');
select is(pg_temp.earlier(), null, 'what is its own, or another job''s, is not');
select pg_temp.publish('one', 'draft', 'draft');
select is(pg_temp.earlier(), jsonb_build_array(jsonb_build_object('attempt', 1, 'artifact_id',
  tap.id('art', 'draftdraft1'), 'logical_name', 'draft', 'kind', 'handoff', 'path',
  'docs/draft.md', 'sha256', repeat('d', 64))), 'what was left under another lease');
update striatumd.leases set attempt = 3;
select is(pg_temp.earlier(), null, 'but not of long ago');

select * from finish();
rollback;
