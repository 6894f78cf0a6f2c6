-- work.packet_show: a packet word for word.
begin;
select plan(7);

select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage(), tap.repository('other');
select tap.session('one', 'author'), tap.session('two', 'author');
create temp table claimed as select tap.ask('one', 'work.claim_next', '{}', tap.claiming('one'))
  -> 'data' as is;
create function pg_temp.show(p_client text, p_repository text default null) returns jsonb
  language sql as $$
  select tap.ask(p_client, 'work.packet_show', jsonb_strip_nulls(jsonb_build_object('packet_id',
    "is" -> 'packet_id', 'repository_id', tap.id('repo', p_repository)))) from claimed
$$;

select is(encode(sha256(convert_to(pg_temp.show('one') #>> '{data,packet_json}', 'UTF8')), 'hex'),
  "is" ->> 'packet_sha256', 'its text has its hash') from claimed;
select is((pg_temp.show('one') -> 'data') - '{packet_json, packet_id, lease_id}'::text[],
  jsonb_build_object('run_id', tap.id('run', 'r'), 'session_id', tap.id('sess', 'one'), 'job_id',
    tap.id('job', 'r.draft'), 'attempt', 1, 'issued_at', '2026-11-30T10:00:00.000000Z',
    'packet_sha256', "is" -> 'packet_sha256'), 'with whose it is') from claimed;
select is(tap.code(pg_temp.show('two')), 'packet_not_found', 'another session sees none of it');
select is(tap.code(pg_temp.show('ada', 'app')), 'ok', 'an operator does');
select is(tap.code(pg_temp.show('ada', 'other')), 'packet_not_found', 'in its own repository');
select is(tap.code(tap.ask('one', 'work.packet_show', '{"packet_id": "pkt_0"}')),
  'packet_not_found', 'one that there is not');
select is_empty($$ select from striatumd.events where event_type <> 'job.claimed' $$,
  'looking is no event');

select * from finish();
rollback;
