-- Why a job is done once more.
begin;
select plan(6);

-- given
select tap.open_door(), tap.run_stage(), tap.session('one', 'reviewer');
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

create function pg_temp.revision(p_job text) returns jsonb language sql as $$
  select striatumd.packet_revision(tap.id('job', 'r.' || p_job))
$$;
create function pg_temp.verdict(p_verdict striatumd.verdict, p_artifact text, p_why text)
  returns void language sql as $$
  insert into striatumd.verdicts (verdict_id, repository_id, run_id, job_id, attempt, artifact_id,
    verdict, rationale, posture, basis, recorded_by, recorded_at)
  values (tap.id('verd', p_why), tap.id('repo', 'app'), tap.id('run', 'r'),
    tap.id('job', 'r.review'), 1, p_artifact, p_verdict, p_why, 'neutral', 'checkpoint_override',
    'x', now())
$$;
select pg_temp.verdict('accept', null, 'fine');
select pg_temp.verdict('needs_revision', pg_temp.publish('one', 'review', 'review'), 'too long');
select is(pg_temp.revision('draft'), null, 'nothing at the first attempt');
update striatumd.jobs set attempt = 2;

-- does
select is(pg_temp.revision('draft'), jsonb_build_object('reopened_attempt', 2, 'prior_verdict',
  'needs_revision', 'prior_verdict_id', tap.id('verd', 'too long'), 'prior_rationale', 'too long',
  'prior_workflow_job_id', 'review', 'prior_finding_attempt', 1, 'prior_finding_artifact_id',
  tap.id('art', 'reviewreview1'), 'prior_finding_logical_name', 'review', 'prior_finding_path',
  'docs/review.md', 'prior_finding_content_sha256', repeat('d', 64), 'guidance',
  'Answer each finding; leave what was not questioned as it was.'),
  'the last verdict of the review that sends back to it, and what was found');
select is(pg_temp.revision('review') ->> 'guidance',
  'Review the new attempt as a whole, and say which findings were answered.',
  'a review is told of its own');
select is(pg_temp.revision('synthesis'), null, 'who was not judged is told nothing');
select pg_temp.verdict('reject', null, 'no');
select is(pg_temp.revision('draft') ->> 'prior_verdict', 'reject', 'the last one counts');
select is(pg_temp.revision('draft') -> 'prior_finding_path', 'null', 'also without a finding');

select * from finish();
rollback;
