-- How a blocker is opened.
begin;
select plan(4);

-- given
select tap.open_door(), tap.run_stage(), tap.session('one', 'author'), tap.authorize();
create temp table said as select striatumd.open_blocker(
    (tap.client_id('ada'), null, tap.id('sess', 'one'),
    tap.id('repo', 'app'), tap.id('run', 'r'), null, null, null,
    '2026-11-30T10:00:00Z')::striatumd.call_context, tap.id('job', 'r.draft'),
  'blocked', 'scope_too_small', 'prose', '{"a": 1}') as change;

select is(change - 'id', jsonb_build_object('of', 'blocker', 'from', null, 'to',
  jsonb_build_object('job_id', tap.id('job', 'r.draft'), 'session_id', tap.id('sess', 'one'),
    'severity', 'blocked', 'kind', 'scope_too_small', 'state', 'open', 'opened_at',
    '2026-11-30T10:00:00.000000Z', 'resolved_at', null, 'resolution', null, 'resolved_by', null)),
  'as one change, without its prose') from said;
select rows_are('select blocker_id, description, payload_json from striatumd.blockers',
  $$ select change ->> 'id', 'prose', '{"a": 1}' from said $$, 'which the row has');
select is(state::text, 'queued', 'the job is the caller''s to move') from striatumd.jobs
 where ordinal = 1;

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.open_blocker(null, null, null, null, null, null)', '28000',
  'daemon_authority_missing', 'not without the daemon''s secret');

select * from finish();
rollback;
