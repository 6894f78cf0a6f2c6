begin;
select plan(5);

-- given: a clone of the test template, whose installation is a test; production is made below

set local striatum.test_now = '2026-11-30T10:00:00Z';
select is(striatumd.now(), '2026-11-30T10:00:00Z',
  'in a test, time stands at the instant that was set');
select pg_sleep(0.01);
select is(striatumd.now(), '2026-11-30T10:00:00Z', 'and still stands there later');

set local striatum.test_now = '';
select ok(striatumd.now() between clock_timestamp() - interval '1 minute' and clock_timestamp(),
  'without an instant, time is the clock''s');
select ok(striatumd.now() > statement_timestamp(), 'and moves within a statement');

-- at the boundary: the setting alone stops nothing
update striatumd.installation set kind = 'production';
set local striatum.test_now = '2020-01-01T00:00:00Z';
select isnt(striatumd.now(), '2020-01-01T00:00:00Z', 'in production nobody can stop time');

select * from finish();
rollback;
