-- B078: no text of ours depends on the zone of a session.
begin;
select plan(7);

select is(striatumd.utc_micros('2026-11-30T00:00:00Z'), '2026-11-30T00:00:00.000000Z',
  'always six digits');
select is(striatumd.utc_micros('2026-11-30T00:00:00.1Z'), '2026-11-30T00:00:00.100000Z',
  'filled up on the right');
select is(striatumd.utc_micros('2026-11-30T23:59:59.999999Z'), '2026-11-30T23:59:59.999999Z',
  'nothing is lost');
select is(striatumd.utc_micros(null), null, 'no instant, no text');
select is(striatumd.utc_micros('-infinity'), null, 'since ever is not an instant');

set local timezone = 'Asia/Kolkata';
select is(striatumd.utc_micros('2026-11-30T00:00:00Z'), '2026-11-30T00:00:00.000000Z',
  'in Kolkata it is the same');

-- around: a path of the caller's that puts other functions and operators first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.utc_micros('2026-11-30T00:00:00Z') as text;
set local search_path = tap, public;
select is((select text from said), '2026-11-30T00:00:00.000000Z', 'none of them is heard');

select * from finish();
rollback;
