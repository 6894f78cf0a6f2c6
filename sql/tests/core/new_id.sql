begin;
select plan(3);

select matches(striatumd.new_id('repo'), '^repo_[0-9a-f]{16}$',
  'an id is its prefix and 16 hexadecimal digits');
select is(
  (select count(distinct striatumd.new_id('job')) from generate_series(1, 1000)), 1000::bigint,
  'a thousand ids are a thousand different ones');
select is_empty(                                  -- the first is the UUID's variant, one of four
  $$ select n from (select striatumd.new_id('x') as id from generate_series(1, 300)) made,
                   generate_series(2, 16) n
      group by n having count(distinct substr(id, n + 2, 1)) < 16 $$,
  'every digit but the first takes every value');

select * from finish();
rollback;
