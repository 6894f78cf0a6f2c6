-- review.submit: a review, its verdict and what follows from it, in one call.
-- STR-REVIEW-15: four verdicts and no other. STR-REVIEW-17: all of it comes back.
-- STR-REVIEW-10: the posture is kept with the verdict.
-- STR-REVIEW-11: nobody judges what they published. STR-REVIEW-19: an attested lane, where wanted.
-- STR-REVIEW-27: what was known of the lane is frozen. STR-REVIEW-28: the model as declared.
-- STR-QUEUE-19: every required artifact.
-- STR-QUEUE-20, STR-REVIEW-09: what waits for a review waits until it accepts, and for nothing
-- else: its posture is no gate of its own.
begin;
select plan(39);

-- given
select tap.open_door();
select tap.run_stage();
select tap.session('a', 'author');
select tap.session('s', 'reviewer');
select tap.session('other', 'reviewer');
-- The draft is done, the review is claimed.
update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.draft');
update striatumd.queue_messages set state = 'done';
select tap.queued('r.review');
select tap.leased('s', 'r.review', 'claimed');
create function pg_temp.submit(p_verdict text, p_more jsonb default '{}', p_lane jsonb default '{}',
    p_session text default 's', p_sha256 text default repeat('d', 64),
    p_contract jsonb default '{"kind": "finding", "problems": []}')
  returns jsonb language sql as $$
  select tap.ask(p_session, 'review.submit', jsonb_build_object('verdict', p_verdict,
    'lease_id', tap.id('lease', 'sr.review'), 'path', 'docs/review.md') || p_more,
    jsonb_build_object('artifact_file', jsonb_build_object('root', '/srv/app',
      'path', coalesce(p_more ->> 'path', 'docs/review.md'), 'state', 'present', 'octets', 1,
      'sha256', p_sha256, 'author_lines', '[]'::jsonb, 'contract', p_contract))
    || tap.attested(p_session, p_lane))
$$;
create function pg_temp.states() returns text language sql as $$
  select string_agg(concat(workflow_job_id, ' ', state, ' ', attempt), ', ' order by ordinal)
    from striatumd.jobs
$$;
create function pg_temp.events() returns text language sql as $$
  select string_agg(event_type, ' ' order by event_id) from striatumd.events
$$;
create function pg_temp.code_after(p_change text, p_more text default '') returns text
  language sql as $$
  select tap.after(p_change, format('select tap.code(pg_temp.submit(''accept'' %s))', p_more))
$$;

-- refuses
select is(params #> '{properties,verdict,enum}',
  '["accept", "accept_with_findings", "needs_revision", "reject"]', 'no other verdict is taken')
  from striatumd.methods where method in ('review.submit', 'review.verdict');
select is(pg_temp.code_after(
  'update striatumd.sessions set state = ''closed'', closed_at = now(), close_reason = ''explicit'''
  ), 'session_inactive', 'a session that has ended');
select is(pg_temp.code_after('select 1', ', p_session => ''other'''), 'lease_not_held',
  'another''s lease');
select is(pg_temp.code_after('update striatumd.jobs set is_verdict = false'),
  'job_takes_no_verdict', 'a job that is no review');
create function pg_temp.judged(p_session text, p_attempt int) returns text language sql as $$
  select tap.row_of('artifacts', to_jsonb(j), jsonb_build_object('artifact_id', tap.id('art', 'a'),
    'attempt', p_attempt, 'session_id', tap.id('sess', p_session),
    'lease_id', tap.id('lease', 'l'), 'logical_name', 'draft', 'kind', 'handoff',
    'repo_path', 'docs/draft.md', 'octets', 1, 'content_sha256', repeat('e', 64),
    'placement', 'git_publication', 'published_at', now()))
    from striatumd.jobs j where job_id = tap.id('job', 'r.draft')
$$;
select is(pg_temp.code_after(pg_temp.judged('s', 1)), 'review_not_independent',
  'a session that published what it would judge');
select is(pg_temp.code_after(pg_temp.judged('s', 2)), 'ok', 'at the attempt that is judged');
select is(pg_temp.code_after(pg_temp.judged('a', 1)), 'ok', 'and nobody else');
select is(pg_temp.code_after($$ update striatumd.jobs set spec = jsonb_set(spec,
  '{expected_artifacts,1}', '{"logical_name": "more", "kind": "finding", "path": "docs/m.md"}') $$),
  'artifact_missing', 'a review that has to publish more');
select is(tap.code(pg_temp.submit('accept', '{"path": "src/review.md"}')), 'path_outside_scope',
  'a file where it may not write');
select is(tap.after(
  $$ update striatumd.jobs set spec = spec || '{"require_attested_lane": true}' $$,
  $$ select pg_temp.submit('accept', p_lane => '{"state": "gone"}') #>> '{error,next,0}' $$),
  'striatum supervise start --session-id ' || tap.id('sess', 's'),
  'a lane that has to be attested, with what attests it');
select is(tap.after($$ select pg_temp.submit('accept', p_lane => '{"state": "gone"}') $$,
  $$ select concat(state, ' ', pg_temp.states()) from striatumd.sessions
      where session_id = tap.id('sess', 's') $$),
  'lost draft completed 1, review claimed 1, synthesis pending 1',
  'else a session whose agent is gone is lost, and nothing is judged');
select is(pg_temp.events(), null, 'nothing came of all that');
select is(pg_temp.states(), 'draft completed 1, review claimed 1, synthesis pending 1',
  'and no job moved');

-- refuses: a ledger that says something else
create function pg_temp.submit_ledger(p_verdict text) returns text language sql as $$
  select tap.after($sql$ update striatumd.jobs set spec = jsonb_set(spec,
      '{expected_artifacts,0,kind}', '"collaboration_ledger"') $sql$,
    format('select tap.code(pg_temp.submit(%L, p_contract => %L))', p_verdict,
      '{"kind": "collaboration_ledger", "verdict": "accept", "problems": []}'))
$$;
select is(pg_temp.submit_ledger('accept_with_findings'), 'review_verdict_differs',
  'a ledger that comes to another verdict');
select is(pg_temp.submit_ledger('accept'), 'ok', 'and one that comes to the same is taken');

-- does: accepts
select is(tap.after(format('select pg_temp.submit(%L)', verdict),
  'select concat(pg_temp.states(), ''; '', pg_temp.events())'),
  'draft completed 1, review completed 1, synthesis queued 1; job.acked artifact.published '
  'verdict.recorded job.completed job.queued', verdict || ' opens what waited for it')
  from unnest(array['accept', 'accept_with_findings']) as verdict;
select is(tap.after($$ select pg_temp.submit('accept') $$, $$
  select string_agg(concat(m.state, ' ', l.state, ' ', l.release_reason, ' ', a.outcome), ',')
    from striatumd.leases l join striatumd.queue_messages m using (message_id)
    join striatumd.job_attempts a on a.job_id = l.job_id and a.attempt = l.attempt $$),
  'done released verdict_recorded completed', 'lease, message and attempt end with it');
update striatumd.jobs set spec = spec || '{"review_posture": "security"}';
select is(tap.after($$ select pg_temp.submit('accept', '{"rationale": "it holds"}') $$, $$
  select concat_ws(' ', verdict, posture, basis, lane_attestation_at_record,
           model_identity_declared, rationale, lease_id = tap.id('lease', 'sr.review'),
           artifact_id = (select artifact_id from striatumd.artifacts)) from striatumd.verdicts $$),
  'accept security review attested m-reviewer it holds t t', 'and what was known then stays');
select is(tap.after($$ select pg_temp.submit('accept', '{"rationale": "it holds"}') $$, $$
  select string_agg(payload_json, '') ~ 'it holds' from striatumd.events $$), 'false',
  'the rationale is no part of the record');
create function pg_temp.reply(p_verdict text) returns jsonb language sql as $$
  select tap.after('select 1', format('select pg_temp.submit(%L) -> ''data''', p_verdict))::jsonb
$$;
select is(reply - '{artifact,verdict_id}'::text[], jsonb_build_object('verdict', 'accept',
  'job_id', tap.id('job', 'r.review'), 'workflow_job_id', 'review', 'job_state', 'completed',
  'attempt', 1, 'run_id', tap.id('run', 'r'), 'run_state', 'running', 'posture', 'security',
  'lane_attestation', 'attested', 'blocker', null,
  'cycle', jsonb_build_object('to_job_id', tap.id('job', 'r.draft'), 'iterations', 0,
    'max_iterations', 1),
  'downstream', jsonb_build_array(jsonb_build_object('job_id', tap.id('job', 'r.synthesis'),
    'workflow_job_id', 'synthesis', 'state', 'queued', 'attempt', 1))), 'all of it comes back')
  from pg_temp.reply('accept') as reply;
select is(reply #>> '{artifact,logical_name}', 'review', 'with the artifact')
  from pg_temp.reply('accept') as reply;

-- does: what has nowhere to go
select is(reply #- '{blocker,blocker_id}' -> 'blocker', '{"kind": "review_rejected",
  "severity": "human_checkpoint", "description": "the review rejects the work"}',
  'a rejection waits for an operator') from pg_temp.reply('reject') as reply;
select is(tap.after($$ select pg_temp.submit('reject') $$,
  'select concat(pg_temp.states(), ''; '', pg_temp.events())'),
  'draft completed 1, review waiting_human 1, synthesis pending 1; job.acked artifact.published '
  'verdict.recorded job.blocked', 'and nothing after it is opened');
create function pg_temp.workflow(p_more jsonb) returns void language sql as $$
  alter table striatumd.workflow_snapshots disable trigger append_only;
  update striatumd.workflow_snapshots set workflow = workflow || p_more;
$$;
select is(tap.after(change,
    $$ select pg_temp.submit('needs_revision') #>> '{data,blocker,description}' $$), says,
  'so does a revision: ' || says) from (values
  ('delete from striatumd.job_cycles',
   'the review wants a revision, and the workflow leaves it to an operator'),
  ('update striatumd.job_cycles set iterations = 1',
   'the review wants a revision, and every iteration that the workflow allows is used'))
    as cycles (change, says);
select is(tap.after($$
  select pg_temp.workflow('{"review_revision_policy":
    {"root_review_needs_revision": "human_checkpoint"}}') $$,
  $$ select pg_temp.submit('needs_revision') #>> '{data,blocker,kind}' $$), null,
  'a policy about root reviews is not about others');
create function pg_temp.root() returns void language sql as $$
  select pg_temp.workflow('{"review_revision_policy":
    {"root_review_needs_revision": "human_checkpoint"}}');
  delete from striatumd.job_edges where to_job_id = tap.id('job', 'r.review');
$$;
select is(tap.after('select pg_temp.root()',
  $$ select pg_temp.submit('needs_revision') #>> '{data,blocker,kind}' $$), 'revision_routing',
  'of a root review, it is heeded');

-- does: a revision
create temp table revised as select pg_temp.submit('needs_revision') as reply;
select is(pg_temp.states(), 'draft queued 2, review pending 2, synthesis pending 1',
  'a revision opens the cycle''s target again, and sets back what comes after it');
select is(pg_temp.events(), 'job.acked artifact.published verdict.recorded revision.cycle_routed '
  'job.reopened job.queued', 'on record');
select is(payload_json::jsonb - '{changes,by}'::text[], jsonb_build_object(
  'from_workflow_job_id', 'review', 'to_workflow_job_id', 'draft', 'reason', 'needs_revision',
  'target_job_id', tap.id('job', 'r.draft'), 'iteration', 1, 'max_iterations', 1,
  'is_extra', false), 'with the iteration that it is')
  from striatumd.events where event_type = 'revision.cycle_routed';
select is(reply #>> '{data,cycle,iterations}', '1', 'and told so') from revised;
select is(reply #>> '{data,blocker}', null, 'nobody is asked') from revised;
select is((select count(*) from striatumd.artifacts), 1::bigint, 'the review of the attempt stays');
select is(tap.code(pg_temp.submit('accept')), 'lease_not_held', 'its lease has ended');

-- at the boundary: the same file again, at the next attempt
update striatumd.queue_messages set state = 'done' where state = 'pending';
update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.draft');
select tap.queued('r.review');
update striatumd.leases set lease_id = tap.id('lease', 'gone');
alter table striatumd.work_packets disable trigger append_only;
delete from striatumd.work_packets;
select tap.leased('s', 'r.review');
select is(tap.code(pg_temp.submit('accept')), 'artifact_review_repeated',
  'the review of the attempt before, word for word');
select is(tap.code(pg_temp.submit('needs_revision', p_sha256 => repeat('f', 64))), 'ok',
  'another is taken');
select is(pg_temp.states(), 'draft completed 2, review waiting_human 2, synthesis pending 1',
  'and every iteration being used, it waits');

select * from finish();
rollback;
