-- What a blocker is about.
-- STR-INTROSPECT-05: the related verdict, blocked downstream jobs, the context of a checkpoint, and
-- next actions; whose it is stands with every thing that is found.
begin;
select plan(3);

-- given: a review that wants more
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('rev', 'reviewer');
select tap.judged('rev', 'r.review', 'needs_revision');
update striatumd.jobs set state = 'waiting_human' where job_id = tap.id('job', 'r.review');
select striatumd.open_blocker(tap.call(), tap.id('job', 'r.review'), 'human_checkpoint',
  'review.needs_revision', 'It wants more', '{"iterations": 1}');
create function pg_temp.why() returns jsonb language sql as $$
  select striatumd.why_blocker(blocker_id) from striatumd.blockers
$$;

-- does
select is(pg_temp.why() - 'next', jsonb_build_object('waits_for', '["a person''s decision"]'::jsonb,
  'severity', 'human_checkpoint', 'payload', '{"iterations": 1}'::jsonb,
  'verdict', jsonb_build_object('verdict_id', tap.id('verd', 'r.review1'),
    'verdict', 'needs_revision', 'posture', 'neutral', 'attempt', 1, 'rationale', v.rationale,
    'path', a.repo_path),
  'blocked_downstream_jobs', '["synthesis"]'::jsonb), 'what led to it and what it stops')
  from striatumd.verdicts v left join striatumd.artifacts a using (artifact_id);
select is(pg_temp.why() -> 'next', striatumd.resolve_actions(b), 'and the choices')
  from striatumd.blockers b;
select striatumd.resolve_blocker(tap.call(), blocker_id, 'continue') from striatumd.blockers;
select is(pg_temp.why() - '{severity,payload,verdict}'::text[], '{"waits_for":
    ["it was resolved 2026-01-02T00:00:00.000000Z: continue"],
  "blocked_downstream_jobs": [], "next": []}', 'once resolved it stops nothing');

select * from finish();
rollback;
