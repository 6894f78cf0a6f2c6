-- The columns of a repository that its events carry.
begin;
select plan(3);

-- given
create temp table r as select row('repo_0123456789abcdef', '/srv/app', '4711', 'app', 'removed',
  true, '2026-11-30T10:00:00Z', '2026-11-30T10:00:00.25Z')::striatumd.repositories as is;

-- does
select is(striatumd.repository_folded("is"), '{"root": "/srv/app", "inode": "4711",
  "display_name": "app", "state": "removed", "is_initialized": true,
  "added_at": "2026-11-30T10:00:00.000000Z", "removed_at": "2026-11-30T10:00:00.250000Z"}',
  'all that there is to it') from r;
select is(array(select jsonb_object_keys(striatumd.repository_folded("is")) order by 1),
  array(select attname::text from pg_attribute
         where attrelid = 'striatumd.repositories'::regclass and attnum > 0 and not attisdropped
           and attname <> 'repository_id' order by attname::text),
  'each column of the table but its key') from r;
update r set "is" = jsonb_populate_record("is", '{"state": "active", "removed_at": null}');
select is(striatumd.repository_folded("is") -> 'removed_at', 'null',
  'what is not there is there as null') from r;

select * from finish();
rollback;
