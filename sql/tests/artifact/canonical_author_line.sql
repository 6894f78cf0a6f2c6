-- An author line as it is compared and kept.
-- STR-BYLINE-07: the form of old, outside of front matter.
begin;
select plan(4);

select is(striatumd.canonical_author_line('title_block', 'author: operator [self-declared: a.b-1]'),
  'author: operator-self-declared-a.b-1', 'the form of old in the form of today');
select is(striatumd.canonical_author_line('front_matter', 'author: operator [self-declared: a]'),
  'author: operator [self-declared: a]', 'not in front matter');
select is(striatumd.canonical_author_line('title_block', 'author: operator [self-declared: A B]'),
  'author: operator [self-declared: A B]', 'nor what was never a label');
select is(striatumd.canonical_author_line('title_block', 'author: x-y-001'), 'author: x-y-001',
  'every other stays');

select * from finish();
rollback;
