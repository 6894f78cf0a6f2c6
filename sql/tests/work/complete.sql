-- work.complete: when a job is done, and what follows.
-- STR-QUEUE-19: not before every required artifact is published; all that are missing are listed.
-- B046: with one of two missing the job goes on, and nothing follows.
-- B053: nor while one of them is not there any more, in the checkout or in a commit; and the run
-- does not end then.
-- STR-QUEUE-20: not before what it builds on is accepted.
begin;
select plan(32);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage();
select tap.session('one', 'author'), tap.session('two', 'author'), tap.session('late', 'author'),
       tap.session('critic', 'reviewer');
select tap.leased('one', 'r.draft', 'claimed');
create function pg_temp.complete(p_session text, p_job text default 'draft',
    p_seen jsonb default '{}')
  returns jsonb language sql as $$
  select tap.ask(p_session, 'work.complete', jsonb_build_object('lease_id',
    tap.id('lease', p_session || 'r.' || p_job)), tap.attested(p_session) || tap.copies() || p_seen,
    '{"is_final": true}')
$$;
create function pg_temp.publish(p_session text, p_job text, p_name text,
    p_attempt integer default 1)
  returns void language sql as $$
  insert into striatumd.artifacts (artifact_id, repository_id, run_id, job_id, attempt, session_id,
    lease_id, logical_name, kind, repo_path, content_sha256, octets, placement, published_at)
  values (striatumd.new_id('art'), tap.id('repo', 'app'), tap.id('run', 'r'),
    tap.id('job', 'r.' || p_job), p_attempt, tap.id('sess', p_session),
    tap.id('lease', p_session || 'r.' || p_job), p_name, 'handoff', 'docs/x.md', repeat('d', 64), 1,
    'git_publication', now())
$$;

-- refuses
select is((pg_temp.complete('one') -> 'error') - 'details', jsonb_build_object('code',
  'invalid_transition', 'message', 'the job is claimed, and only a running one is completed',
  'next', array['striatum ack ' || tap.id('lease', 'oner.draft')]), 'what was not begun');
update striatumd.jobs set state = 'running' where job_id = tap.id('job', 'r.draft');
update striatumd.queue_messages set state = 'acked';
update striatumd.jobs
   set spec = jsonb_set(spec, '{expected_artifacts}', (spec -> 'expected_artifacts') || '[
     {"logical_name": "notes", "kind": "other", "path": "docs/my notes.md"},
     {"logical_name": "extra", "kind": "other", "path": "docs/extra.md", "required": false}]')
 where job_id = tap.id('job', 'r.draft');
select is(pg_temp.complete('one') -> 'error', jsonb_build_object('code', 'artifact_missing',
  'message', 'the job draft has not published draft, notes', 'details', jsonb_build_object('job_id',
    tap.id('job', 'r.draft'), 'missing', '[{"logical_name": "draft", "kind": "handoff", "path":
    "docs/draft.md"}, {"logical_name": "notes", "kind": "other", "path": "docs/my notes.md"}]'
    ::jsonb), 'next', array[
    format('striatum publish-artifact %s docs/draft.md', tap.id('lease', 'oner.draft')),
    format('striatum publish-artifact %s ''docs/my notes.md''',
      tap.id('lease', 'oner.draft'))]), 'all that is missing is listed');
select pg_temp.publish('one', 'draft', 'draft');
select is(pg_temp.complete('one') #> '{error,details,missing,0,logical_name}', '"notes"',
  'and what is left of it');
select is(array_agg(state::text order by state::text), array['pending', 'pending', 'running'],
  'nothing has moved') from striatumd.jobs;
select pg_temp.publish('one', 'draft', 'notes');
select is(tap.code(pg_temp.complete('two', 'draft')), 'lease_not_held', 'not another''s');
select is(tap.code(pg_temp.complete('one', 'draft', tap.attested('one', '{"state": "unknown"}'))),
  'session_backend_unattested', 'nor by a lane that nothing proves');
select is(tap.code(pg_temp.complete('one', 'draft', tap.attested('two'))), 'observation_stale',
  'nor by a look at another');
select is(tap.after($$ update striatumd.process_supervisors set state = 'starting' $$,
  $$ select tap.code(pg_temp.complete('one')) $$), 'session_backend_not_ready',
  'nor while the lane is being started');
select is(tap.after($$ delete from striatumd.process_supervisors $$,
  $$ select tap.code(pg_temp.complete('one')) || ' ' || state from striatumd.sessions
      where session_id = tap.id('sess', 'one') $$), 'session_backend_missing active',
  'nor without one');
select is(tap.code(pg_temp.complete('one', 'draft', tap.attested('one', '{"state": "gone"}')))
  || ' ' || (select state from striatumd.jobs where job_id = tap.id('job', 'r.draft')),
  'session_backend_gone running', 'nor by one that is gone');
select is(tap.code(pg_temp.complete('one')), 'token_revoked', 'whose token has ended by that');
update striatumd.clients set revoked_at = null;
update striatumd.client_capabilities set revoked_at = null;
select is(tap.code(pg_temp.complete('one')), 'session_inactive', 'and its session');
update striatumd.sessions set state = 'active', closed_at = null;
update striatumd.process_supervisors set state = 'attached', ended_at = null;
delete from striatumd.command_requests;

-- refuses what is not there any more
select is((pg_temp.complete('one', 'draft', tap.copies('{"state": "missing", "sha256": null}'))
    -> 'error') #- '{details,guidance}' #- '{details,artifacts,0,artifact_id}'
    #- '{details,artifacts,1,artifact_id}', jsonb_build_object('code', 'artifact_uninspectable',
  'message', 'what the job draft published cannot be looked at, and has to be put back: '
    'docs/x.md (missing), docs/x.md (missing)',
  'details', jsonb_build_object('job_id', tap.id('job', 'r.draft'), 'artifacts',
    to_jsonb(array_fill(jsonb_build_object('workflow_job_id', 'draft', 'path', 'docs/x.md',
      'placement', 'git_publication', 'content_sha256', repeat('d', 64), 'readback', 'missing'),
      array[2]))),
  'next', jsonb_build_array(format('striatum complete %s', tap.id('lease', 'oner.draft')),
    format('striatum release %s --reason TEXT', tap.id('lease', 'oner.draft')))),
  'each that is missing is named, with its hash and what to do');
select is(tap.code(pg_temp.complete('one', 'draft', tap.copies('{"sha256": "x"}'))),
  'artifact_uninspectable', 'nor what was changed');
select is(tap.code(pg_temp.complete('one', 'draft', '{"artifact_copies": {"files": []}}')),
  'observation_stale', 'what was not looked at is looked at again');
select is(state::text, 'running', 'nothing came of all that') from striatumd.jobs
 where job_id = tap.id('job', 'r.draft');
select is(tap.after($$ select pg_temp.complete('one', 'draft', tap.copies(
    '{"state": "missing", "is_committed": true}')) $$, $$ select state from striatumd.jobs
  where job_id = tap.id('job', 'r.draft') $$), 'completed', 'what a commit has is there');

-- does
create temp table reply as select pg_temp.complete('one') as is;
select is("is" -> 'data', jsonb_build_object('lease_id', tap.id('lease', 'oner.draft'), 'job_id',
  tap.id('job', 'r.draft'), 'workflow_job_id', 'draft', 'attempt', 1, 'job_state', 'completed',
  'run_id', tap.id('run', 'r'), 'run_state', 'running', 'queued', '["review"]'::jsonb),
  'the job is done, and what waited for it is queued') from reply;
select rows_are('select * from tap.events() offset 1', array[
  'job.completed: lease active -> released, message acked -> done, job running -> completed',
  'job.queued: job pending -> queued, message -> pending'], 'as two events');
select ok("is" -> 'wakes' ? ('run:' || tap.id('run', 'r')), 'who waits is woken') from reply;
select rows_are('select outcome, ended_at from striatumd.job_attempts',
  $$ values ('completed', '2026-11-30T10:00:00Z'::timestamptz) $$, 'the attempt has ended');
select rows_are('select workflow_job_id, state from striatumd.jobs order by ordinal',
  $$ values ('draft', 'completed'), ('review', 'queued'), ('synthesis', 'pending') $$,
  'no other job moved');
select is(tap.code(pg_temp.complete('one')), 'lease_not_held', 'once');

-- a job that ends by a verdict
select tap.leased('critic', 'r.review');
select is((pg_temp.complete('critic', 'review') -> 'error') - 'details', jsonb_build_object('code',
  'invalid_transition', 'message', 'the job ends by a verdict', 'next',
  array[format('striatum submit-review %s PATH VERDICT', tap.id('lease', 'criticr.review'))]),
  'is not completed without one');

-- what comes after a review
alter table striatumd.artifacts disable trigger append_only;
select tap.queued('r.synthesis'), tap.leased('late', 'r.synthesis');
select pg_temp.publish('late', 'synthesis', 'synthesis');
select is(pg_temp.complete('late', 'synthesis') #>> '{error,message}',
  'review leads to it, and is not completed or not accepted', 'not before the review');
update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.review');
create function pg_temp.verdict(p_verdict striatumd.verdict, p_attempt integer default 1)
  returns void language sql as $$
  insert into striatumd.verdicts (verdict_id, repository_id, run_id, job_id, attempt, verdict,
    posture, basis, recorded_by, recorded_at)
  values (striatumd.new_id('verd'), tap.id('repo', 'app'), tap.id('run', 'r'),
    tap.id('job', 'r.review'), p_attempt, p_verdict, 'neutral', 'checkpoint_override', 'x', now())
$$;
select is(tap.code(pg_temp.complete('late', 'synthesis')), 'invalid_transition',
  'nor without its verdict');
select pg_temp.verdict('accept', 2), pg_temp.verdict('accept'), pg_temp.verdict('needs_revision');
select is(tap.code(pg_temp.complete('late', 'synthesis')), 'invalid_transition',
  'nor against its last one of this attempt');
select pg_temp.verdict('accept_with_findings');
update striatumd.artifacts set repo_path = 'docs/synthesis.md'
 where job_id = tap.id('job', 'r.synthesis');
select is(tap.code(pg_temp.complete('late', 'synthesis', jsonb_build_object('artifact_copies',
  jsonb_build_object('files', jsonb_path_query_array(tap.copies(),
    '$.artifact_copies.files[*] ? (@.path == "docs/synthesis.md")'))))), 'observation_stale',
  'the last one, not while what the others left was not looked at');
select is(pg_temp.complete('late', 'synthesis') #> '{data,queued}', '[]', 'after one that accepts');
select is(state::text, 'completed', 'it is done') from striatumd.jobs
 where job_id = tap.id('job', 'r.synthesis');
select is((select count(*) from striatumd.leases where state = 'active'), 1::bigint,
  'and its lease has ended, no other');
select cmp_ok((select count(*) from striatumd.events), '>=', 4::bigint, 'on record');

select * from finish();
rollback;
