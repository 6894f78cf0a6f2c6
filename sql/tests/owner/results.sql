-- The domains and tables of bundle V0011__results: each state that may not be is refused by name.
begin;
select plan(118);

-- given
create function pg_temp.id(p_prefix text, p_n int default 0) returns text language sql as $$
  select p_prefix || '_0123456789abcde' || p_n
$$;
select tap.run_stage();
create function pg_temp.of_job(p_more jsonb) returns jsonb language sql as $$
  select jsonb_build_object('repository_id', tap.id('repo', 'app'), 'run_id', tap.id('run', 'r'),
    'job_id', tap.id('job', 'r.draft'), 'session_id', pg_temp.id('sess')) || p_more
$$;

-- the domains
create temp table tried (domain text, refused_by text, bad text[], good text[]);
insert into tried values
  ('artifact_id', 'artifact_id_is_prefixed', '{"",art_,job_0123456789abcdef,art_0123456789abcdeF}',
    '{art_0123456789abcdef}'),
  ('verdict_id', 'verdict_id_is_prefixed', '{"",verd_,art_0123456789abcdef,verd_0123456789abcdef0}',
    '{verd_0123456789abcdef}'),
  ('blocker_id', 'blocker_id_is_prefixed', '{"",blk_,block_0123456789abcdef,blk_0123456789abcdeg}',
    '{blk_0123456789abcdef}');
select tap.refused(format('select %L::striatumd.%I', value, domain), refused_by)
  from tried, unnest(bad) as value;
select lives_ok(format('select %L::striatumd.%I', value, domain), 'good: ' || domain)
  from tried, unnest(good) as value;

-- striatumd.artifacts
create function pg_temp.artifact(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('artifacts', pg_temp.of_job(jsonb_build_object(
    'artifact_id', pg_temp.id('art'), 'attempt', 1, 'lease_id', pg_temp.id('lease'),
    'logical_name', 'draft', 'kind', 'handoff', 'repo_path', 'docs/draft.md',
    'content_sha256', repeat('d', 64), 'octets', 0, 'placement', 'git_publication',
    'published_at', '2026-01-01Z')), p_change)
$$;
select enum_has_labels('striatumd', 'placement', array['blob_exhaust', 'git_publication',
  'git_pointer_manifest'], 'where an artifact is kept');
select throws_ok(pg_temp.artifact('{"placement": "other"}'), '22P02', null, 'and nowhere else');
select throws_ok(pg_temp.artifact(jsonb_build_object(name, null)), '23502', null,
  'an artifact has its ' || name)
  from unnest(array['artifact_id', 'repository_id', 'run_id', 'job_id', 'attempt', 'session_id',
    'lease_id', 'logical_name', 'kind', 'repo_path', 'content_sha256', 'octets', 'placement',
    'published_at']) as name;
select tap.refused(pg_temp.artifact(jsonb_build_object('repo_path', path)),
  'relative_path_stays_below') from unnest(array['/srv/a', '../a', 'docs/../../a']) as path;
select tap.refused(pg_temp.artifact('{"job_id": "job_0000000000000000"}'),
  'artifacts_belong_to_a_job');
select tap.refused(pg_temp.artifact('{"octets": -1}'), 'artifacts_octets_count');
select lives_ok(pg_temp.artifact(), 'a good row is taken');
select tap.refused(pg_temp.artifact('{"attempt": 2}'), 'artifacts_are_distinct');
select tap.refused(pg_temp.artifact(jsonb_build_object('artifact_id', pg_temp.id('art', 1),
  'repo_path', 'docs/other.md')), 'artifacts_one_a_name_and_attempt');
select lives_ok(pg_temp.artifact(jsonb_build_object('artifact_id', pg_temp.id('art', n::int))
  || change), 'beside it ' || change::text)
  from unnest(array['{"attempt": 2}', '{"logical_name": "notes"}',
    jsonb_build_object('job_id', tap.id('job', 'r.review'))]::jsonb[])
    with ordinality as c (change, n);
select tap.refused(statement, 'artifacts_is_append_only')
  from unnest(array['update striatumd.artifacts set octets = octets',
    'delete from striatumd.artifacts', 'truncate striatumd.artifacts']) as statement;
select is(count(*), 4::bigint, 'they are there') from striatumd.artifacts;

-- striatumd.verdicts
create function pg_temp.verdict(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('verdicts', pg_temp.of_job(jsonb_build_object(
    'verdict_id', pg_temp.id('verd'), 'verdict_number', 1000, 'attempt', 1,
    'lease_id', pg_temp.id('lease'), 'verdict', 'accept', 'posture', 'neutral', 'basis', 'review',
    'recorded_by', 'c', 'recorded_at', '2026-01-01Z')), p_change)
$$;
select enum_has_labels('striatumd', 'verdict', array['accept', 'accept_with_findings',
  'needs_revision', 'reject'], 'what a review comes to');
select enum_has_labels('striatumd', 'lane_attestation', array['attested', 'unattested'],
  'what is known of its lane');
select throws_ok(pg_temp.verdict(jsonb_build_object(name, 'other')), '22P02', null,
  name || ' is one of its words')
  from unnest(array['verdict', 'lane_attestation_at_record']) as name;
select throws_ok(pg_temp.verdict(jsonb_build_object(name, null)), '23502', null,
  'a verdict has its ' || name)
  from unnest(array['verdict_id', 'verdict_number', 'repository_id', 'run_id', 'job_id', 'attempt',
    'verdict', 'posture', 'basis', 'recorded_by', 'recorded_at']) as name;
select tap.refused(pg_temp.verdict('{"job_id": "job_0000000000000000"}'),
  'verdicts_belong_to_a_job');
select tap.refused(pg_temp.verdict(jsonb_build_object('rationale', repeat('é', 4001))),
  'verdicts_rationale_is_short');
select tap.refused(pg_temp.verdict(change), 'verdicts_review_has_a_lease')
  from unnest(array['{"lease_id": null}', '{"session_id": null}',
    '{"lease_id": null, "session_id": null}', '{"basis": "checkpoint_override"}',
    '{"basis": "checkpoint_override", "lease_id": null}',
    '{"basis": "checkpoint_override", "session_id": null}']::jsonb[]) as change;
select lives_ok(pg_temp.verdict(jsonb_build_object('rationale', repeat('é', 4000))),
  'a good row is taken');
select tap.refused(pg_temp.verdict('{"verdict": "reject"}'), 'verdicts_are_distinct');
select lives_ok(pg_temp.verdict(jsonb_build_object('verdict_id', pg_temp.id('verd', n::int))
  || change), 'beside it ' || change::text)
  from unnest(array['{"verdict": "reject"}', '{"basis": "checkpoint_override", "lease_id": null,
    "session_id": null}']::jsonb[]) with ordinality as c (change, n);
select tap.refused(statement, 'verdicts_is_append_only')
  from unnest(array['update striatumd.verdicts set verdict = verdict',
    'delete from striatumd.verdicts', 'truncate striatumd.verdicts']) as statement;
select is(count(*), 3::bigint, 'they are there') from striatumd.verdicts;

-- striatumd.blockers
create function pg_temp.blocker(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('blockers', pg_temp.of_job(jsonb_build_object('blocker_id', pg_temp.id('blk'),
    'severity', 'blocked', 'kind', 'scope_too_small', 'state', 'open', 'description', 'Why',
    'payload_json', '{}', 'opened_at', '2026-01-01Z')), p_change)
$$;
select enum_has_labels('striatumd', 'blocker_severity', array['blocked', 'human_checkpoint'],
  'who has to settle it');
select enum_has_labels('striatumd', 'blocker_state', array['open', 'resolved'],
  'the states of a blocker');
select throws_ok(pg_temp.blocker(jsonb_build_object(name, 'other')), '22P02', null,
  name || ' is one of its words') from unnest(array['severity', 'state']) as name;
select throws_ok(pg_temp.blocker(jsonb_build_object(name, null)), '23502', null,
  'a blocker has its ' || name)
  from unnest(array['blocker_id', 'repository_id', 'run_id', 'severity', 'kind', 'state',
    'description', 'payload_json', 'opened_at']) as name;
select tap.refused(pg_temp.blocker('{"run_id": "run_0000000000000000"}'),
  'blockers_belong_to_a_run');
select tap.refused(pg_temp.blocker(jsonb_build_object('kind', kind)),
  'blockers_kind_is_dotted_words')
  from unnest(array['', 'Lost', 'a b', 'a__b', '_a', 'a.', '.a', 'a..b', 'a.B', 'a1']) as kind;
select tap.refused(pg_temp.blocker(jsonb_build_object('description', text)),
  'blockers_description_is_short') from unnest(array['', repeat('é', 2001)]) as text;
select tap.refused(pg_temp.blocker(jsonb_build_object('payload_json', text)),
  'blockers_payload_is_an_object') from unnest(array['[]', '"a"', 'null']) as text;
select throws_ok(pg_temp.blocker('{"payload_json": "{"}'), '22P02', null, 'a payload is JSON');
create temp table all_of_it as select '{"state": "resolved", "resolved_at": "2026-01-02Z",
  "resolution": "continue", "resolved_by": "c"}'::jsonb as change;
select tap.refused(pg_temp.blocker(change || jsonb_build_object(name, value)),
  'blockers_resolved_has_all_of_it')
  from all_of_it, (values ('state', 'open'), ('resolved_at', null), ('resolution', null),
    ('resolved_by', null)) as without (name, value);
select tap.refused(pg_temp.blocker(jsonb_build_object(name, change -> name)),
  'blockers_resolved_has_all_of_it') from all_of_it, jsonb_object_keys(change) as name;
select lives_ok(pg_temp.blocker(jsonb_build_object('description', repeat('é', 2000))),
  'a good row is taken');
select tap.refused(pg_temp.blocker('{"kind": "other"}'), 'blockers_are_distinct');
select lives_ok(pg_temp.blocker(jsonb_build_object('blocker_id', pg_temp.id('blk', 1),
  'kind', 'gate.lane_unattested', 'job_id', null, 'session_id', null) || change),
  'beside it one of the run as a whole, settled') from all_of_it;

select * from finish();
rollback;
