-- The tables of bundle V0002__installation: each state that may not be is refused by name.
begin;
select plan(25);

-- striatumd.installation
select rows_are(
  'select is_installed, kind::text from striatumd.installation', $$ values (true, 'test') $$,
  'there is one row, and the test farm marked it');
select tap.refused($$ insert into striatumd.installation default values $$,
  'installation_is_one_row');
select tap.refused($$ insert into striatumd.installation (is_installed) values (false) $$,
  'installation_row_stands_for_itself');
select tap.refused($$ update striatumd.installation set functions_sha256 = repeat('A', 64) $$,
  'sha256_hex_is_64_hex_digits');
select tap.refused($$ update striatumd.installation set functions_sha256 = repeat('a', 63) $$,
  'sha256_hex_is_64_hex_digits');
select tap.refused($$ update striatumd.installation set functions_live_sha256 = repeat('A', 64) $$,
  'sha256_hex_is_64_hex_digits');
select tap.refused($$ update striatumd.installation set functions_live_sha256 = repeat('a', 65) $$,
  'sha256_hex_is_64_hex_digits');
select tap.refused($$ update striatumd.installation set functions_applied_at = null $$,
  'installation_stamp_has_hashes_and_instant');
select tap.refused($$ update striatumd.installation set functions_live_sha256 = null $$,
  'installation_stamp_has_hashes_and_instant');
select throws_ok($$ update striatumd.installation set kind = 'staging' $$, '22P02', null,
  'a kind is one of two');
select throws_ok($$ update striatumd.installation set kind = null $$, '23502', null,
  'and never unknown');

-- striatumd.error_codes
create function pg_temp.code(p_change jsonb) returns text language sql as $$
  select format('insert into striatumd.error_codes
                 select * from jsonb_populate_record(null::striatumd.error_codes, %L)',
    '{"code": "thing_unknown", "exit_code": 3, "http_status": 404, "is_retryable": false,
      "explanation": "No."}' || p_change)
$$;
select lives_ok(pg_temp.code('{}'), 'a good row is taken');
select tap.refused(pg_temp.code('{}'), 'error_codes_are_distinct');
select tap.refused(pg_temp.code('{"code": "Thing-unknown"}'), 'error_codes_are_snake_case');
select tap.refused(pg_temp.code('{"code": "a", "exit_code": 0}'),
  'exit_code_is_a_failure');
select tap.refused(pg_temp.code('{"code": "a", "http_status": 200}'),
  'error_codes_http_status_is_an_error');
select tap.refused(pg_temp.code('{"code": "a", "explanation": "no."}'),
  'error_codes_explanation_is_a_sentence');
select tap.refused(pg_temp.code('{"code": "a__b"}'), 'error_codes_are_snake_case');
select tap.refused(pg_temp.code('{"code": "a", "exit_code": 126}'),
  'exit_code_is_a_failure');
select tap.refused(pg_temp.code('{"code": "a", "http_status": 600}'),
  'error_codes_http_status_is_an_error');
select tap.refused(pg_temp.code('{"code": "a", "explanation": "No"}'),
  'error_codes_explanation_is_a_sentence');
select throws_ok(pg_temp.code(jsonb_build_object('code', 'a', name, null)), '23502', null,
    'each row has its ' || name)
  from unnest(array['exit_code', 'http_status', 'is_retryable', 'explanation']) as name;

select * from finish();
rollback;
