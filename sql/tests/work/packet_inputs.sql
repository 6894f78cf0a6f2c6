-- What a job builds on.
begin;
select plan(4);

-- given
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

create function pg_temp.inputs(p_job text) returns jsonb language sql as $$
  select jsonb_path_query_array(striatumd.packet_inputs(tap.id('job', 'r.' || p_job)),
    '$[*].logical_name')
$$;
select is(pg_temp.inputs('synthesis'), '[]', 'nothing yet');
select pg_temp.publish('one', 'draft', 'draft'), pg_temp.publish('one', 'review', 'review'),
       pg_temp.publish('one', 'synthesis', 'synthesis');

-- does
select is(pg_temp.inputs('synthesis'), '["draft", "review"]', 'those of all that leads to it');
select is(striatumd.packet_inputs(tap.id('job', 'r.review')), jsonb_build_array(jsonb_build_object(
  'workflow_job_id', 'draft', 'attempt', 1, 'artifact_id', tap.id('art', 'draftdraft1'),
  'logical_name', 'draft', 'kind', 'handoff', 'path', 'docs/draft.md', 'sha256',
  repeat('d', 64))), 'each with its path and its hash');
update striatumd.jobs set attempt = 2 where workflow_job_id = 'draft';
select pg_temp.publish('one', 'draft', 'second', 2);
select is(pg_temp.inputs('review'), '["second"]', 'of the current attempt');

select * from finish();
rollback;
