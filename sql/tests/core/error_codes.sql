-- The codes that refusals carry.
begin;
select plan(3);

select rows_are(
  $$ select exit_code, http_status, is_retryable from striatumd.error_codes
      where code = 'internal_error' $$,
  $$ values (1, 500, false) $$, 'a fault of our own ends a program with 1');
select rows_are(
  $$ select exit_code from striatumd.error_codes
      where code in ('usage_invalid', 'database_ahead') order by code $$,
  $$ values (9), (2) $$, 'the exit codes that the requirements fix');
select is_empty($$ select code from striatumd.error_codes where explanation ~ code $$,
  'an explanation says more than the code');

select * from finish();
rollback;
