-- The open blockers of a repository, or of one of its runs.
begin;
select plan(6);

-- given: two of one run, one of another, one of a run that ended, one of another repository
select tap.open_door();
select tap.authorize();
select tap.run_stage(run) from unnest('{r,s,ended}'::text[]) as run;
select tap.run_stage('z', 'other');
select striatumd.open_blocker(tap.call('r', '2026-01-02Z'), tap.id('job', 'r.review'),
  'human_checkpoint', 'review.needs_revision', 'It wants more', '{"verdict": "needs_revision"}');
select striatumd.open_blocker(tap.call('r', '2026-01-01Z'), tap.id('job', 'r.draft'), 'blocked',
  'scope.drift', 'Another file', '{}');
select striatumd.open_blocker(tap.call(run, '2026-01-03Z'), null, 'blocked', 'test', 'Test', '{}')
  from unnest('{s,ended,z}'::text[]) as run;
select tap.ended('ended', 'failed');
create function pg_temp.runs(p_run text) returns text language sql as $$
  select string_agg(b ->> 'kind', ' ' order by n)
    from jsonb_array_elements(striatumd.open_blockers(tap.id('repo', 'app'),
      tap.id('run', p_run))) with ordinality as e (b, n)
$$;

-- does
select is(pg_temp.runs(null), 'scope.drift review.needs_revision test',
  'of all runs under way, the oldest first');
select is(pg_temp.runs('r'), 'scope.drift review.needs_revision', 'of one run');
select is(pg_temp.runs('ended'), 'test', 'of one that ended where it is asked for');
select is(b - 'blocker_id' - 'resolve_actions', jsonb_build_object('run_id', tap.id('run', 'r'),
  'job_id', tap.id('job', 'r.review'), 'job', 'review', 'job_state', 'pending', 'session_id', null,
  'severity', 'human_checkpoint', 'kind', 'review.needs_revision', 'state', 'open',
  'description', 'It wants more', 'opened_at', '2026-01-02T00:00:00.000000Z',
  'payload', '{"verdict": "needs_revision"}'::jsonb), 'each with its job')
  from (select striatumd.open_blockers(tap.id('repo', 'app'), tap.id('run', 'r')) -> 1) as o (b);
select striatumd.resolve_blocker(tap.call(), blocker_id, 'done') from striatumd.blockers
 where job_id = tap.id('job', 'r.draft');
select is(pg_temp.runs('r'), 'review.needs_revision', 'one that was resolved is none');
select is(pg_temp.runs('none'), null, 'of nothing nothing');

select * from finish();
rollback;
