-- A refusal as a reply carries it.
begin;
select plan(3);

select is(striatumd.refusal('busy', 'wait', '{"a": 1}', array['striatum x', 'x.y']), '{
  "code": "busy", "message": "wait", "details": {"a": 1}, "next": ["striatum x", "x.y"]}',
  'what, why, about what, and what to do next');
select is(striatumd.refusal('busy', 'wait', '{}', '{}') -> 'next', '[]', 'which may be nothing');

-- around: a path of the caller's that puts other functions first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.refusal('a', 'b', '{}', '{c}') ->> 'code' as text;
set local search_path = tap, public;
select is((select text from said), 'a', 'none of them is heard');

select * from finish();
rollback;
