-- B078: no text of ours depends on the zone of a session.
begin;
select plan(9);

select is(striatumd.utc_seconds('2026-11-30T00:00:00Z'), '2026-11-30T00:00:00Z',
  'an instant is written in UTC');
select is(striatumd.utc_seconds('2026-11-30T05:29:59.999999+05:30'), '2026-11-29T23:59:59Z',
  'and cut, never rounded');
select is(striatumd.utc_seconds(null), null, 'no instant, no text');
select is(striatumd.utc_seconds('infinity'), null, 'for ever is not an instant');

-- at the boundary: zones with half hours, and the hour that summer time repeats
set local timezone = 'Asia/Kolkata';
select is(striatumd.utc_seconds('2026-11-30T00:00:00Z'), '2026-11-30T00:00:00Z',
  'in Kolkata it is the same');
set local timezone = 'Australia/Lord_Howe';
select is(striatumd.utc_seconds('2026-11-30T00:00:00Z'), '2026-11-30T00:00:00Z',
  'on Lord Howe it is the same');
set local timezone = 'America/New_York';
select is(striatumd.utc_seconds('2026-11-01T05:30:00Z'), '2026-11-01T05:30:00Z',
  'before the clocks go back');
select is(striatumd.utc_seconds('2026-11-01T06:30:00Z'), '2026-11-01T06:30:00Z',
  'and after, an hour later');

-- around: a path of the caller's that puts other functions and operators first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.utc_seconds('2026-11-30T00:00:00Z') as text;
set local search_path = tap, public;
select is((select text from said), '2026-11-30T00:00:00Z', 'none of them is heard');

select * from finish();
rollback;
