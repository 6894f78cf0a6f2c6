-- Everything that stands against registering a folder.
begin;
select plan(39);

-- given
create function pg_temp.problems(p_path text, p_more jsonb default '{}',
    p_init boolean default false)
  returns jsonb language sql as $$
  select striatumd.repo_add_problems(p_path, p_init,
    tap.folder(p_path, p_more) -> 'repository_root')
$$;
create function pg_temp.codes(p_path text, p_more jsonb default '{}',
    p_init boolean default false)
  returns text language sql as $$
  select coalesce(string_agg(value ->> 'code', ' ' order by n), '')
    from jsonb_array_elements(pg_temp.problems(p_path, p_more, p_init))
      with ordinality as p (value, n)
$$;

-- does: nothing stands against these
select is(pg_temp.problems(path), '[]',
  'a good folder: ' || quote_literal(replace(path, E'\n', '\n')))
  from unnest(array['/srv/app', '/', '/srv/..app', '/srv/app..', '/srv/a.b', '/srv/.app',
    '/srv/...', '/srv/a b', '/srv/é', E'/srv/a\nb']) as path;
select is(pg_temp.codes('/srv/app', '{"has_scratch": false, "is_ignored": false}', true), '',
  'what is to be made may be missing');
select is(pg_temp.codes('/srv/app', '{"is_ignored": false}'), '',
  'the entry in .gitignore alone is nothing that stands against it');

-- the path
select is(pg_temp.codes(path), 'path_traversal', 'not written plainly: ' || path)
  from unnest(array['/srv/../etc', '/srv/..', '/..', '/.', '/srv/./app', '/srv/.', '//', '//srv',
    '/srv//app', '/srv/app/', '/srv/app/../']) as path;
select is(pg_temp.problems('/srv/app/', '{"real_path": "/srv/app"}'), '[{"code": "path_traversal",
  "message": "the path is not written plainly: it holds . or .., or a slash too many",
  "next": "striatum repo add /srv/app"}]', 'it says how to write it');
select is(pg_temp.codes('srv/app'), 'path_not_absolute', 'a relative one');
select is(pg_temp.codes(path), 'path_not_absolute path_traversal', 'and one that climbs: ' || path)
  from unnest(array['.', '..', '../app']) as path;
select is(pg_temp.codes(''), 'path_not_absolute', 'and an empty one');

-- what was seen
select is(pg_temp.problems('/srv/a', '{"symlink": "/srv", "real_path": "/mnt/a"}'),
  '[{"code": "symlink_refused", "message": "/srv is a symbolic link",
     "next": "striatum repo add /mnt/a"}]', 'a link, also above');
select is(pg_temp.problems('/srv/a', jsonb_build_object('state', state)), '[{"code":
  "repo_root_missing", "message": "there is no folder /srv/a",
  "next": "striatum repo add PATH, of a folder"}]', 'no folder: ' || state)
  from unnest(array['absent', 'no_folder']) as state;
select is(pg_temp.problems('/srv/a', '{"state": "unknown", "problem": "permission denied"}'),
  '[{"code": "repo_root_unknown", "message": "/srv/a could not be looked at: permission denied",
     "next": "the same request, once the daemon''s user may read that folder"}]', 'not seen');
select is(striatumd.repo_add_problems('/srv/a', false, seen) #>> '{0,code}', 'repo_root_unknown',
  'nor looked at: ' || coalesce(seen::text, 'null'))
  from unnest(array[null, '{}']::jsonb[]) as seen;
select is(pg_temp.problems('/srv/a', '{"has_git": false}'), '[{"code": "repo_git_missing",
  "message": "/srv/a is not the top of a git work tree", "next": "git init /srv/a"}]', 'no git');
select is(pg_temp.problems('/srv/a', '{"legacy_state": "/srv/a/.striatum/state.db"}', true),
  '[{"code": "repo_legacy_state_present",
     "message": "/srv/a/.striatum/state.db is a database of an older program",
     "next": "mv /srv/a/.striatum/state.db to a place outside of the repository"}]',
  'an older program''s database, also where init is asked for');
select is(pg_temp.problems('/srv/a', '{"has_scratch": false}'), '[{"code": "repo_scratch_missing",
  "message": "/srv/a/.striatum/scratch is missing", "next": "striatum repo add /srv/a --init"}]',
  'no scratch, and none asked for');
select is(pg_temp.codes('a/', '{"symlink": "/a", "has_git": false, "has_scratch": false,
  "legacy_state": "x"}'), 'path_not_absolute path_traversal symlink_refused repo_git_missing '
  || 'repo_legacy_state_present repo_scratch_missing', 'all at once, the most telling first');

select * from finish();
rollback;
