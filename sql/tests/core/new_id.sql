begin;
select plan(3);

select matches(striatumd.new_id('repo'), '^repo_[0-9a-f]{16}$', 'an id is its prefix and 16 hexadecimal digits');
select is((select count(distinct striatumd.new_id('job')) from generate_series(1, 1000)), 1000::bigint,
  'a thousand ids are a thousand different ones');
select is((select count(distinct substr(striatumd.new_id('x'), 3, 16)::text collate "C" > repeat('8', 16))
             from generate_series(1, 200)), 2::bigint, 'and no digit of theirs is fixed to one half');

select * from finish();
rollback;
