-- checkpoint.resolve: three ways on, each of them on record.
-- STR-WORKFLOW-19: a needs_revision without a cycle waits for a person.
-- STR-ARTIFACT-15: no way on over an artifact that cannot be looked at.
-- STR-ARTIFACT-16: canceling is open all the same.
-- STR-REVIEW-26: an operator's verdict claims no model.
begin;
select plan(38);

-- given
select tap.open_door();
select tap.run_stage();
select tap.session('s', 'reviewer');
update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.draft');
update striatumd.queue_messages set state = 'done';
select tap.queued('r.review');
select tap.leased('s', 'r.review');
update striatumd.job_cycles set iterations = 1;
create function pg_temp.submit(p_verdict text) returns jsonb language sql as $$
  select tap.ask('s', 'review.submit', jsonb_build_object('verdict', p_verdict,
    'lease_id', tap.id('lease', 'sr.review'), 'path', 'docs/review.md'),
    jsonb_build_object('artifact_file', jsonb_build_object('root', '/srv/app',
      'path', 'docs/review.md', 'state', 'present', 'octets', 1, 'sha256', repeat('d', 64),
      'contract', '{"kind": "finding", "problems": []}'::jsonb)) || tap.attested('s'))
$$;
create function pg_temp.resolve(p_choice text, p_file jsonb default '{}',
    p_client text default 'ada', p_blocker text default null)
  returns jsonb language sql as $$
  select tap.ask(p_client, 'checkpoint.resolve', jsonb_build_object('choice', p_choice,
    'repository_id', tap.id('repo', 'app'), 'reason', 'seen by eye',
    'blocker_id', coalesce(p_blocker, (
      select blocker_id from striatumd.blockers order by opened_at desc limit 1))),
    jsonb_build_object('artifact_copies', jsonb_build_object('root', '/srv/app', 'files',
      jsonb_build_array(jsonb_build_object('path', 'docs/review.md', 'state', 'present',
        'sha256', repeat('d', 64)) || p_file))), '{"is_final": true}')
$$;
create function pg_temp.states() returns text language sql as $$
  select string_agg(concat(workflow_job_id, ' ', state, ' ', attempt), ', ' order by ordinal)
    from striatumd.jobs
$$;
create function pg_temp.events() returns text language sql as $$
  select string_agg(event_type, ' ' order by event_id) from striatumd.events
   where event_id > (select max(event_id) from striatumd.events
                      where event_type = 'job.blocked')
$$;
create function pg_temp.seen() returns text language sql as $$
  select concat(pg_temp.states(), '; ', pg_temp.events())
$$;
-- A blocker that a session opened: the job is stopped, its message too.
create function pg_temp.blocked(p_severity text, p_has_published boolean default false)
  returns text language plpgsql as $$
begin
  update striatumd.jobs set state = case p_severity when 'blocked' then 'blocked'
    else 'waiting_human' end::striatumd.job_state where job_id = tap.id('job', 'r.review');
  update striatumd.queue_messages set state = 'blocked' where state = 'acked';
  update striatumd.leases set state = 'released', ended_at = now(), release_reason = 'blocked',
    has_published = p_has_published;
  execute tap.row_of('blockers', jsonb_build_object('blocker_id', tap.id('blk', 'b'),
    'repository_id', tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'),
    'job_id', tap.id('job', 'r.review'), 'severity', p_severity, 'kind', 'scope_too_small',
    'state', 'open', 'description', 'x', 'payload_json', '{}', 'opened_at', now()), '{}');
  return tap.id('blk', 'b');
end
$$;

-- what a session could not go on with
select is(tap.after(format('select pg_temp.blocked(%L), pg_temp.resolve(''continue'')', severity),
  $$ select concat(pg_temp.states(), ': ', string_agg(state::text, ' ' order by message_number))
       from striatumd.queue_messages $$),
  'draft completed 1, review queued 1, synthesis pending 1: done pending',
  'stopped as ' || severity || ' it is queued again at its attempt')
  from unnest(array['blocked', 'human_checkpoint']) as severity;
select is(tap.after($$ select pg_temp.blocked('blocked', true), pg_temp.resolve('continue') $$,
  'select pg_temp.states()'), 'draft completed 1, review queued 2, synthesis pending 1',
  'at the next one, where its session had published');
select is(tap.after($$ select pg_temp.blocked('blocked') $$,
  $$ select tap.code(pg_temp.resolve('override')) $$), 'checkpoint_not_overridable',
  'there is no verdict to override');
select is(tap.after($$ select pg_temp.blocked('blocked'), pg_temp.resolve('cancel') $$,
  'select pg_temp.states()'), 'draft completed 1, review canceled 1, synthesis canceled 1',
  'and it is taken out with all that waits for it');
select is(tap.after($$ select pg_temp.blocked('blocked');
    update striatumd.blockers set kind = 'lease_owner_gone';
    update striatumd.jobs set state = 'stale_lease' where job_id = tap.id('job', 'r.review') $$,
  format($$ select (pg_temp.resolve(%L) -> 'error') - 'details' - 'message' $$, choice)),
  jsonb_build_object('code', 'blocker_not_a_checkpoint', 'next', array[
    format('striatum recovery requeue-stale %s --force --reason TEXT',
      tap.id('job', 'r.review'))])::text, choice || ': work of an agent that died is queued again')
  from unnest('{continue,cancel}'::text[]) as choice;
select is(tap.code(pg_temp.resolve('continue', p_blocker => 'blk_0')), 'blocker_not_found',
  'one that there is not');

-- what a review could not go on with: given
select pg_temp.submit('needs_revision');
select is(pg_temp.states(), 'draft completed 1, review waiting_human 1, synthesis pending 1',
  'the review waits for an operator');

-- refuses
select is(tap.code(pg_temp.resolve(choice, p_client => 's')), 'capability_denied',
  'a session does not ' || choice) from unnest(array['continue', 'override', 'cancel']) as choice;
select is(tap.code(pg_temp.resolve(choice, file)), 'artifact_uninspectable',
  concat(choice, ' over ', file)) from unnest(array['continue', 'override']) as choice,
  unnest(array['{"state": "missing"}', '{"state": "escapes"}', '{"sha256": "other"}'
               ]::jsonb[]) as file;
select is(tap.code(pg_temp.resolve('continue', '{"path": "docs/other.md"}')), 'observation_stale',
  'what was not looked at is looked at again');
select is(reply #- '{artifacts,0,artifact_id}' #- '{artifacts,0,content_sha256}',
  jsonb_build_object(
  'job_id', tap.id('job', 'r.review'), 'artifacts', '[{"path": "docs/review.md",
    "workflow_job_id": "review", "placement": "git_publication", "readback": "missing"}]'::jsonb,
  'guidance',
  'put each file back as it was published, from the run''s branch or from a copy'),
  'the refusal says which, where, and how to put it right')
  from (select pg_temp.resolve('override', '{"state": "missing"}') #> '{error,details}')
    as r (reply);
select is(pg_temp.events(), null, 'nothing came of all that');
select is(state::text, 'open', 'the blocker is open') from striatumd.blockers;

-- does
select is(tap.after($$ select pg_temp.resolve('cancel', '{"state": "missing"}') $$,
  'select pg_temp.seen()'),
  'draft completed 1, review canceled 1, synthesis canceled 1; blocker.resolved job.canceled '
  'run.completed session.closed', 'cancel: out with the review and what waits for it');
select is(tap.after($$ select pg_temp.resolve('override') $$, 'select pg_temp.seen()'),
  'draft completed 1, review completed 1, synthesis queued 1; blocker.resolved verdict.recorded '
  'job.completed job.queued', 'override: accepted in the reviewer''s place');
select is(tap.after($$ select pg_temp.resolve('override') $$, $$
  select concat_ws(' ', verdict, basis, rationale, coalesce(session_id, lease_id,
           lane_attestation_at_record::text, model_identity_declared, 'and no more'))
    from striatumd.verdicts order by verdict_number desc limit 1 $$),
  'accept checkpoint_override seen by eye and no more', 'as an operator''s verdict');
select is(tap.after($$ select pg_temp.resolve('override') $$, $$
  select concat(v.artifact_id = a.artifact_id, ' ', m.state)
    from striatumd.verdicts v, striatumd.artifacts a, striatumd.queue_messages m
   where m.job_id = tap.id('job', 'r.review') order by verdict_number desc limit 1 $$),
  't done', 'on what the reviewer had published');
select is(tap.after($$ select pg_temp.resolve('continue') $$, 'select pg_temp.seen()'),
  'draft queued 2, review pending 2, synthesis pending 1; blocker.resolved revision.cycle_routed '
  'job.reopened job.queued', 'continue: one more iteration');
select is(tap.after($$ select pg_temp.resolve('continue') $$,
  'select concat(iterations, '' of '', max_iterations) from striatumd.job_cycles'), '2 of 2',
  'beyond the workflow''s bound');
select is(tap.after($$ select pg_temp.resolve('continue') $$, $$
  select payload_json::jsonb - '{changes,by}'::text[] from striatumd.events
   where event_type = 'revision.cycle_routed' $$)::jsonb ->> 'is_extra', 'true', 'and on record');
select is(tap.after('delete from striatumd.job_cycles; select pg_temp.resolve(''continue'')',
  'select pg_temp.states()'), 'draft completed 1, review queued 2, synthesis pending 1',
  'without a cycle, the review once more');
select is(tap.after(format('select pg_temp.resolve(%L)', choice), $$
  select concat(state, ' ', resolution, ' ', resolved_by = tap.client_id('ada'))
    from striatumd.blockers $$), 'resolved ' || choice || ' t', 'settled as ' || choice)
  from unnest(array['continue', 'override', 'cancel']) as choice;
create temp table settled as select pg_temp.resolve('override') #> '{data}' as reply;
select is(jsonb_build_array(reply -> 'choice', reply -> 'job_state', reply -> 'run_state',
  reply -> 'blocker', reply -> 'verdict'), '["override", "completed", "running", null, "accept"]',
  'the reply tells what became of it') from settled;
select is(tap.code(pg_temp.resolve('cancel')), 'blocker_not_open', 'it is settled once');

-- what the run as a whole waits for
update striatumd.runs set state = 'needs_operator', stop_reason = 'provenance_gate_failed';
update striatumd.jobs set state = 'completed';
create function pg_temp.of_run(p_choice text) returns text language sql as $$
  select tap.after(format($sql$ update striatumd.blockers set job_id = null, state = 'open',
      resolved_at = null, resolution = null, resolved_by = null, kind = 'provenance_gate_failed';
    delete from striatumd.verdicts where basis = 'checkpoint_override';
    select pg_temp.resolve(%L) $sql$, p_choice),
    'select concat(state, '' '', completion_mode) from striatumd.runs')
$$;
alter table striatumd.verdicts disable trigger append_only;
select is(pg_temp.of_run('continue'), 'needs_operator ', 'its gates are tried again');
select is(pg_temp.of_run('override'), 'completed operator_override', 'or waived');
select is(pg_temp.of_run('cancel'), 'canceled ', 'or it ends');

select * from finish();
rollback;
