-- What is kept of a text that is too long.
begin;
select plan(9);

select is(striatumd.cut('abc', 3), 'abc', 'what fits is kept whole');
select is(striatumd.cut('abcd', 3), 'abc', 'of what is longer, the beginning');
select is(striatumd.cut(repeat('é', 3), 4), 'éé', 'octets are counted, not characters');
select is(striatumd.cut(repeat('é', 3), 5), 'éé', 'and no character is cut in two');
select is(striatumd.cut('€', 2), '', 'not even when nothing is left then');
select is(octet_length(striatumd.cut(repeat('𝄞', 1000), 128)), 128, 'four octets a character');
select is(striatumd.cut('', 128), '', 'the empty text stays empty');
select is(striatumd.cut(null, 128), null, 'no text, no beginning');

-- around: a path of the caller's that puts other functions first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.cut('abcd', 3) as text;
set local search_path = tap, public;
select is((select text from said), 'abc', 'none of them is heard');

select * from finish();
rollback;
