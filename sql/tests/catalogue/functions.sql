-- What holds for every function of the schema at once. A rule is a view of its
-- offenders, and each rule is shown to see one.
begin;
select plan(20);

-- The pure helpers: immutable, without SET and without DEFINER. A name gets here by hand.
create temp view pure as select unnest(array[
    'artifact_folded', 'artifact_shown', 'at_work', 'blocker_folded', 'branch_effect',
    'canonical_author_line', 'change', 'change_shown', 'check_lane_isolation', 'cut',
    'cycle_folded', 'decided', 'event', 'finding', 'fold', 'hash_v3', 'in_scope',
    'is_transcript_name', 'job_folded', 'lease_folded', 'may_act_as_session', 'may_name_branch',
    'message_folded', 'moved', 'no_work', 'observe_daemon_host', 'observe_lane_secret',
    'observe_minted_secret', 'observe_path_place', 'observe_repository_root', 'packet_commands',
    'packet_reference', 'packet_review_policy', 'packet_shown', 'params_sha256', 'plane',
    'read_inventory', 'refusal', 'repo_add_problems', 'repository_folded', 'repository_shown',
    'resolve_actions', 'run_event', 'run_folded', 'run_shown', 'same_command', 'session_folded',
    'session_shown', 'shell_word', 'split_run_event', 'supervisor_folded', 'unsettled',
    'utc_micros', 'utc_seconds', 'verdict_folded', 'wakes']) as name;
-- Where a statement is put together at run time.
create temp view dynamic as select unnest(array['dispatch', 'looks']) as name;

create temp view ours as
  select p.oid, p.proname::text as name, p.prolang, p.proowner, p.prosecdef, p.provolatile,
         p.prosrc, p.proacl,
         coalesce(p.proconfig, '{}') as settings, p.prorettype = 'trigger'::regtype as is_trigger
    from pg_proc p where p.pronamespace = 'striatumd'::regnamespace;

create temp view not_the_owners as
  select name from ours where proowner <> to_regrole('striatum_owner');
create temp view not_pinned as
  select name from ours
   where name not in (select name from pure)
     and not (prosecdef and 'search_path=pg_catalog, pg_temp' = any(settings));
create temp view not_pure as
  select name from ours join pure using (name)
   where prosecdef or settings <> '{}' or provolatile <> 'i'
      or prosrc ~* '\m(from|join|into|update)\s+(striatumd\.|pg_(?!catalog\.\w+\())';
create temp view overloaded as
  select name from ours group by name having count(*) > 1;
create temp view open_to_anybody as
  select name from ours, aclexplode(coalesce(proacl, acldefault('f', proowner))) a
   where a.grantee = 0;
create temp view open_to_the_login as
  select name from ours
   where oid <> 'striatumd.call(bytea, jsonb)'::regprocedure and (
         has_function_privilege('striatumd_rw', oid, 'execute')
      or has_function_privilege('striatumd_rw_' || current_database(), oid, 'execute'));
create temp view stable_and_locking as
  select name from ours
   where provolatile <> 'v' and prosrc ~* '\mfor\s+(no\s+key\s+)?(update|share|key)\M|advisory';
create temp view dynamic_unlisted as
  select name from ours join pg_language l on l.oid = prolang
   where lanname = 'plpgsql' and prosrc ~* '\mexecute\M' and name not in (select name from dynamic);
create temp view catching_all as
  select name from ours where prosrc ~* 'when\s+others';

select isnt_empty('select * from ours', 'there are functions to look at');
select is_empty('select * from not_the_owners', 'each belongs to striatum_owner');
select is_empty('select * from not_pinned',
  'each but the pure ones is SECURITY DEFINER with its path pinned');
select is_empty('select * from not_pure',
  'the pure ones are immutable, without SET or DEFINER, and read no table');
select is_empty('select * from overloaded', 'no name stands for two functions');
select is_empty('select * from open_to_anybody', 'none is open to PUBLIC');
select is_empty('select * from open_to_the_login',
  'none but the door is open to the runtime login');
select is_empty('select * from stable_and_locking', 'none that is not volatile takes a lock');
select is_empty('select * from dynamic_unlisted',
  'none but the listed puts a statement together at run time');
select is_empty('select * from catching_all', 'none catches whatever comes');

-- The checkers, checked: one function that breaks every rule is seen by each.
create function striatumd.hash_v3(p_broken int) returns int language plpgsql stable as $$
begin
  perform pg_advisory_xact_lock(1);
  execute 'select 1 from pg_class';
exception when others then     -- planted: what the rule has to find
  return 1;
end $$;
create function striatumd.unpinned() returns int language sql security definer as 'select 1';
grant execute on all functions in schema striatumd to public;

select isnt_empty('select * from not_the_owners where name = ''hash_v3''',
  'an owner''s rule that sees');
select isnt_empty('select * from not_pinned where name = ''unpinned''', 'a path''s rule that sees');
select isnt_empty('select * from not_pure where name = ''hash_v3''',
  'a pure one''s rule that sees');
select isnt_empty('select * from overloaded where name = ''hash_v3''',
  'an overload''s rule that sees');
select isnt_empty('select * from open_to_anybody where name = ''now''',
  'a PUBLIC grant''s rule that sees');
select isnt_empty('select * from open_to_the_login where name = ''now''',
  'a login grant''s rule that sees');
select isnt_empty('select * from stable_and_locking where name = ''hash_v3''',
  'a lock''s rule that sees');
select isnt_empty('select * from dynamic_unlisted where name = ''hash_v3''',
  'a run-time statement''s rule that sees');
select isnt_empty('select * from catching_all where name = ''hash_v3''',
  'a catch-all''s rule that sees');
create or replace function striatumd.unpinned() returns int language sql security definer
  set search_path = public, pg_temp as 'select 1';
select isnt_empty('select * from not_pinned where name = ''unpinned''',
  'also where the path is pinned to another');

select * from finish();
rollback;
