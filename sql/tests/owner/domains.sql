-- The domains of bundle V0001__domains: each value that may not be is refused by name. Those of a
-- later bundle stand in the test of that one.
begin;
select plan(74);

create temp table tried (domain text, refused_by text, bad text[], good text[]);
insert into tried values
  ('sha256_hex', 'sha256_hex_is_64_hex_digits',
    array['', repeat('a', 63), repeat('a', 65), repeat('A', 64), repeat('g', 64)],
    array[repeat('0a', 32)]),
  ('counted', 'counted_is_from_1', '{0,-1}', '{1,9223372036854775807}'),
  ('exit_code', 'exit_code_is_a_failure', '{0,126,-1}', '{1,125}'),
  ('asked', 'asked_is_short', array[repeat('m', 129), repeat('é', 65)],
    array['', repeat('é', 64)]),
  ('line', 'line_is_one_and_short', array['', E'a\nb', E'\x1b[0m', repeat('x', 201)],
    array['é', repeat('é', 200)]),
  ('absolute_path', 'absolute_path_is_one_and_short',
    array['', 'srv', '/' || repeat('x', 4096)], array['/', '/' || repeat('x', 4095)]),
  ('repository_id', 'repository_id_is_prefixed',
    '{"",repo_,job_0123456789abcdef,repo_0123456789abcdeF}', '{repo_0123456789abcdef}'),
  ('client_id', 'client_id_is_prefixed',
    '{"",client_,repo_0123456789abcdef,client_0123456789abcdef0}', '{client_0123456789abcdef}'),
  ('session_id', 'session_id_is_prefixed', '{"",sess_,repo_0123456789abcdef}',
    '{sess_0123456789abcdef}'),
  ('effect_id', 'effect_id_is_prefixed', '{"",eff_,repo_0123456789abcdef}',
    '{eff_0123456789abcdef}'),
  ('event_type', 'event_type_is_noun_and_participle',
    '{"",run,run.,.started,Run.started,run.started.twice}', '{run.started,work_item.sent_back}'),
  ('event_payload', 'event_payload_is_an_object', '{[],"null",1}', '{"{}"}'),
  ('event_payload', 'event_payload_is_bounded',
    array[format('{"a": "%s"}', repeat('x', 262144))],
    array[format('{"a": "%s"}', repeat('x', 262100))]),
  ('event_payload', 'event_payload_holds_no_transcript',
    array(select format('{"%s": ""}', name) from unnest(array['stdout', 'stderr', 'transcript',
      'raw_output', 'provider_output']) as name), '{"{\"output\": 1}"}'),
  ('stored_reply', 'stored_reply_is_data_or_error',
    '{"{\"ok\": false}","{\"ok\": true}","{\"ok\": true, \"error\": {}}"}',
    '{"{\"ok\": true, \"data\": {}}","{\"ok\": false, \"error\": {}}"}');

select tap.refused(format('select %L::striatumd.%I', value, domain), refused_by)
  from tried, unnest(bad) as value;
select lives_ok(format('select %L::striatumd.%I', value, domain), 'good: ' || domain)
  from tried, unnest(good) as value;
create temp table elsewhere as
  select unnest(array['run_id_is_prefixed', 'job_id_is_prefixed', 'word_is_plain_and_short',
      'relative_path_stays_below',                                               -- runs
    'message_id_is_prefixed', 'lease_id_is_prefixed', 'packet_id_is_prefixed',
      'supervisor_id_is_prefixed',                                               -- work
    'artifact_id_is_prefixed', 'verdict_id_is_prefixed', 'blocker_id_is_prefixed' -- results
    ]) as name;
select is_empty($$
  select conname from pg_constraint where contypid <> 0
     and connamespace = 'striatumd'::regnamespace and conname not in (select refused_by from tried)
     and conname not in (select name from elsewhere) $$, 'no other domain is there');

select * from finish();
rollback;
