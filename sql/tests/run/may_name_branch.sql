-- Which names git can have for a branch.
begin;
select plan(35);

select is(striatumd.may_name_branch(name), true, 'a branch may be called ' || name)
  from unnest(array['main', 'feature/x', 'striatum/real-05', 'a.b', 'ä', 'a@b', 'lock', 'HEAD/x',
    repeat('x', 200), repeat('ä', 100), 'a/refs/x']) as name;
select is(striatumd.may_name_branch(name), false, 'none is called ' || quote_literal(name))
  from unnest(array['', '-x', '.x', 'x/.y', 'x.', 'x..y', 'x//y', '/x', 'x/', 'x.lock',
    'x.lock/y', 'x@{y', '@', 'HEAD', 'a b', 'a~b', 'a^b', 'a:b', 'a?b', 'a[b', E'a\tb',
    'refs/heads/x', repeat('x', 201), repeat('ä', 101)]) as name;

select * from finish();
rollback;
