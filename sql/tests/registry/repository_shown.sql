-- A repository as replies show it.
begin;
select plan(2);

-- given
create temp table r as select row('repo_0123456789abcdef', '/srv/app', '4711', 'app', 'removed',
  true, '2026-11-30T10:00:00Z', '2026-11-30T10:00:00.25Z')::striatumd.repositories as is;

-- does
select is(striatumd.repository_shown("is"), '{"repository_id": "repo_0123456789abcdef",
  "root": "/srv/app", "display_name": "app", "state": "removed", "is_initialized": true,
  "added_at": "2026-11-30T10:00:00.000000Z", "removed_at": "2026-11-30T10:00:00.250000Z"}',
  'its id, what it is called, how it stands') from r;
update r set "is" = jsonb_populate_record("is",
  '{"state": "active", "removed_at": null, "is_initialized": false}');
select is(striatumd.repository_shown("is"), '{"repository_id": "repo_0123456789abcdef",
  "root": "/srv/app", "display_name": "app", "state": "active", "is_initialized": false,
  "added_at": "2026-11-30T10:00:00.000000Z", "removed_at": null}', 'and one that is active') from r;

select * from finish();
rollback;
