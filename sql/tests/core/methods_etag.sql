-- The hash over all registrations.
begin;
select plan(5);

-- given
create temp table before as select striatumd.methods_etag() as etag;
create temp view now_other as select striatumd.methods_etag() <> etag as is_other from before;

-- does
select matches(etag, '^sha256:[0-9a-f]{64}$', 'it says how it was made') from before;
select is(striatumd.methods_etag(), etag, 'the same methods have the same hash') from before;
update striatumd.methods set summary = summary || ', quickly' where method = 'repo.add';
select is(is_other, true, 'another word is another hash') from now_other;
update striatumd.methods set summary = replace(summary, ', quickly', '')
 where method = 'repo.add';
select is(is_other, false, 'wherever the row lies on disk') from now_other;
delete from striatumd.methods where method = 'repo.list';
select is(is_other, true, 'and a method less is another hash') from now_other;

select * from finish();
rollback;
