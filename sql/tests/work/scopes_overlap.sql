-- Whether two jobs may write to the same place.
begin;
select plan(9);

select tap.open_door();
create function pg_temp.overlap(p_one text, p_two text, p_forbidden text default null)
  returns boolean language sql as $$
  select striatumd.scopes_overlap(jsonb_build_object('allowed_paths', array[p_one]),
    jsonb_build_object('allowed_paths', array[p_two], 'forbidden_paths',
      array_remove(array[p_forbidden], null)))
$$;

-- does
select ok(pg_temp.overlap('docs/', 'docs'), 'the same');
select ok(pg_temp.overlap('docs/a/', 'docs/'), 'one inside of the other');
select ok(pg_temp.overlap('docs/', './docs/a'), 'the other inside of the one');
select ok(pg_temp.overlap('.', 'docs/'), 'the whole repository');
select ok(pg_temp.overlap('./', '.'), 'and it twice');
select ok(not pg_temp.overlap('docs/', 'docs-2/'), 'not a name that begins alike');
select ok(not pg_temp.overlap('docs/a/', 'docs/', 'docs/a/'), 'not what the other may not write');

-- at the boundary
select ok(not striatumd.scopes_overlap(null, '{"allowed_paths": ["docs/"]}'), 'not with none');
select ok(not striatumd.scopes_overlap('{}', '{"allowed_paths": ["docs/"]}'), 'nor an empty one');

select * from finish();
rollback;
