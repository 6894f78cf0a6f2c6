-- The table of bundle V0004__methods: each state that may not be is refused by name.
begin;
select plan(56);

-- given
create function pg_temp.method(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('methods', '{"method": "thing.do", "summary": "Does a thing",
    "capability": "write", "scope": "single_repo", "lock_class": "repository", "changes": true,
    "internal": false, "lane": false, "human_only": false,
    "params": {"type": "object", "additionalProperties": false}, "observers": [], "effects": [],
    "error_codes": [], "cli_path": ["thing", "do"], "cli_positionals": [], "cli_shows": [],
    "examples": ["striatum thing do"]}', p_change)
$$;
create function pg_temp.internal(p_change jsonb default '{}') returns text language sql as $$
  select pg_temp.method('{"method": "thing.inner", "internal": true, "capability": null,
    "scope": "daemon_global", "lock_class": "none", "cli_path": null, "examples": []}' || p_change)
$$;

select enum_has_labels('striatumd', 'capability', array['read', 'write', 'review', 'claim', 'apply',
  'admin', 'recovery', 'surgical_recovery'], 'the capabilities');
select enum_has_labels('striatumd', 'scope_mode', array['single_repo', 'daemon_global'],
  'the scopes');
select enum_has_labels('striatumd', 'lock_class', array['none', 'repository', 'effect',
  'run', 'session', 'job', 'blocker', 'supervisor', 'repository_run'], 'the lock classes');
select throws_ok(pg_temp.method(jsonb_build_object(name, 'other')), '22P02', null,
  name || ' is one of its words')
  from unnest(array['capability', 'scope', 'lock_class']) as name;
select throws_ok(pg_temp.method(jsonb_build_object(name, null)), '23502', null,
  'a method has its ' || name)
  from unnest(array['summary', 'scope', 'lock_class', 'changes', 'internal', 'lane',
    'human_only', 'params', 'observers', 'effects', 'error_codes', 'cli_positionals',
    'cli_shows', 'examples']) as name;

-- refuses
select tap.refused(pg_temp.method(jsonb_build_object('method', word)),
  'methods_name_is_dotted_words')
  from unnest(array['', 'Thing.do', 'thing.', '.do', 'thing-do', 'thing2', repeat('a', 101)])
    as word;
select tap.refused(pg_temp.method(jsonb_build_object('summary', text)), 'methods_summary_is_a_line')
  from unnest(array['', 'does', 'Does a thing.', E'Does a thing,\nand another']) as text;
select tap.refused(pg_temp.method(jsonb_build_object('params', params)),
  'methods_params_is_a_closed_object')
  from unnest(array['{}', '{"type": "object"}', '{"additionalProperties": false}',
    '{"type": "array", "additionalProperties": false}',
    '{"type": "object", "additionalProperties": true}']::jsonb[]) as params;
select tap.refused(pg_temp.internal(change), 'methods_internal_has_no_surface')
  from unnest(array['{"cli_path": ["x"], "examples": ["striatum x"]}', '{"lane": true}',
    '{"human_only": true}', '{"capability": "read"}']::jsonb[]) as change;
select tap.refused(
  pg_temp.method('{"capability": null}'), 'methods_single_repo_has_a_capability');
select tap.refused(pg_temp.method('{"scope": "daemon_global"}'),
  'methods_repository_lock_has_a_repository');
select tap.refused(pg_temp.method('{"cli_path": []}'), 'methods_cli_path_has_words');
select tap.refused(pg_temp.method('{"examples": []}'), 'methods_command_has_examples');
select tap.refused(pg_temp.internal(change), 'methods_text_is_a_commands')
  from unnest(array['{"cli_shows": ["thing_id"]}', '{"cli_note": "it is so"}']::jsonb[]) as change;
select tap.refused(pg_temp.method(jsonb_build_object('cli_note', note)), 'methods_note_is_a_line')
  from unnest(array['', 'it is so.', E'it is\nso']) as note;

-- at the boundary
select lives_ok(pg_temp.method('{"method": "thing.told", "cli_path": ["told"],
  "cli_shows": ["thing_id"], "cli_note": "it is so"}'), 'a row that says what text shows');
select lives_ok(pg_temp.method(), 'a good row is taken');
select tap.refused(pg_temp.method('{"cli_path": ["thing", "other"]}'), 'methods_are_distinct');
select throws_ok(pg_temp.method('{"method": "thing.other"}'), '23505', null,
  'a command stands for one method');
select lives_ok(pg_temp.internal(), 'an internal method needs no command');
select lives_ok(pg_temp.internal('{"method": "thing.second"}'), 'nor does a second one');
select lives_ok(pg_temp.method(jsonb_build_object('method', repeat('a', 100), 'cli_path', null,
  'examples', '{}'::text[])), 'a long name, a method without a command');

select * from finish();
rollback;
