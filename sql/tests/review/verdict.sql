-- review.verdict: the verdict of a review that is published already. What follows from one: see
-- submit.
-- STR-REVIEW-18: against what the attempt has published, which is not published again.
-- STR-REVIEW-16: a verdict row stays as it is.
begin;
select plan(13);

-- given
select tap.open_door();
select tap.run_stage();
select tap.session('s', 'reviewer');
update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.draft');
update striatumd.queue_messages set state = 'done';
select tap.queued('r.review');
select tap.leased('s', 'r.review');
create function pg_temp.verdict(p_verdict text, p_lane jsonb default '{}') returns jsonb
  language sql as $$
  select tap.ask('s', 'review.verdict', jsonb_build_object('verdict', p_verdict,
    'lease_id', tap.id('lease', 'sr.review')), tap.attested('s', p_lane) || tap.copies())
$$;
create function pg_temp.published(p_attempt int, p_name text default 'review') returns void
  language plpgsql as $$ begin
  execute (select tap.row_of('artifacts', to_jsonb(j), jsonb_build_object('artifact_id',
    tap.id('art', p_name || p_attempt), 'attempt', p_attempt, 'session_id', tap.id('sess', 's'),
    'lease_id', tap.id('lease', 'sr.review'), 'logical_name', p_name, 'kind', 'finding',
    'repo_path', 'docs/review.md', 'octets', 1, 'content_sha256', repeat('d', 64),
    'placement', 'git_publication', 'published_at', now()))
    from striatumd.jobs j where job_id = tap.id('job', 'r.review'));
end $$;

-- refuses
select is(tap.code(pg_temp.verdict('accept')), 'artifact_missing',
  'a review that is not published');
select is(pg_temp.verdict('accept') #>> '{error,next,0}', 'striatum publish-artifact '
  || tap.id('lease', 'sr.review') || ' docs/review.md', 'with what publishes it');
select pg_temp.published(2);
select is(tap.code(pg_temp.verdict('accept')), 'artifact_missing',
  'one of another attempt');
select is(tap.after($$ update striatumd.jobs set spec = spec - 'expected_artifacts' $$,
  $$ select tap.code(pg_temp.verdict('accept')) $$), 'review_unpublished',
  'nothing at all, where nothing is expected');
select pg_temp.published(1), pg_temp.published(1, 'more');
select is(tap.after($$ update striatumd.jobs set is_verdict = false $$,
  $$ select tap.code(pg_temp.verdict('accept')) $$), 'job_takes_no_verdict',
  'a job that is no review');
select is(tap.after($$ update striatumd.process_supervisors set state = 'starting' $$,
  $$ select tap.code(tap.ask('s', 'review.verdict', jsonb_build_object('verdict', 'accept',
       'lease_id', tap.id('lease', 'sr.review')), tap.attested('s') || tap.copies(),
       '{"is_final": true}')) $$),
  'session_backend_not_ready', 'an agent that is only being started');
select is((select count(*) from striatumd.verdicts) + (select count(*) from striatumd.events),
  0::bigint, 'nothing came of all that');

-- does
create temp table given as select pg_temp.verdict('accept_with_findings') as reply;
select is(reply #>> '{data,job_state}', 'completed', 'the review is completed') from given;
select is(reply #>> '{data,artifact,artifact_id}', tap.id('art', 'review1'),
  'by the review that the workflow expects, at this attempt') from given;
select is((select count(*) from striatumd.artifacts), 3::bigint, 'nothing was published');
select rows_are($$ select verdict::text, artifact_id, recorded_by from striatumd.verdicts $$,
  format('values (%L::text, %L::text, %L::text)', 'accept_with_findings',
    tap.id('art', 'review1'), tap.client_id('s')), 'and the verdict is kept');
select is((select string_agg(event_type, ' ' order by event_id) from striatumd.events),
  'verdict.recorded job.completed job.queued', 'on record');
select throws_ok($$ update striatumd.verdicts set verdict = 'reject' $$, '23514', null,
  'for ever');

select * from finish();
rollback;
