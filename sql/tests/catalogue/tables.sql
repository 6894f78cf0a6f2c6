-- What holds for every table of the schema at once. A rule is a view of its offenders, and each
-- rule is shown to see one.
-- STR-STORE-01, STR-STORE-03: of the tables that these lines name, those whose methods there are,
-- each in this schema alone; and each table is a repository's or the daemon's.
-- STR-STORE-19: what kinds of artifacts there are no constraint says.
-- STR-DDD-03: each root of an aggregate is a table with an id of its own, in a repository.
begin;
select plan(18);

create temp view ours as
  select c.oid, c.relname::text as name, c.relowner, c.relkind from pg_class c
   where c.relnamespace = 'striatumd'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f');

create temp view not_the_owners as
  select name from ours where relowner <> to_regrole('striatum_owner');
create temp view with_reg_columns as       -- an oid does not survive a dump
  select name || '.' || attname as name from ours join pg_attribute on attrelid = oid and attnum > 0
   where atttypid::regtype::text like 'reg%';
create temp view calling_functions as      -- functions are dropped at every apply
  select pg_describe_object(d.classid, d.objid, d.objsubid) as name
    from pg_depend d join pg_proc p on p.oid = d.refobjid and d.refclassid = 'pg_proc'::regclass
   where p.pronamespace = 'striatumd'::regnamespace and p.prorettype <> 'trigger'::regtype
     and d.classid <> 'pg_proc'::regclass;
create temp view badly_named as            -- <table>_<the sentence that it makes true>
  select conname::text as name from pg_constraint join ours on conrelid = ours.oid
   where not (select relispartition from pg_class c where c.oid = ours.oid)   -- has its parent's
     and (conname not like name || '\_%' or conname ~ '_(pkey|key|check|fkey)[0-9]*$')
  union all                                -- <domain>_<the same>
  select conname from pg_constraint join pg_type t on t.oid = contypid
   where connamespace = 'striatumd'::regnamespace
     and (conname not like typname || '\_%' or conname ~ '_check[0-9]*$');
create temp view without_key as
  select name from ours where relkind in ('r', 'p')
     and not exists (select from pg_constraint where conrelid = ours.oid and contype = 'p')
     and name <> 'owner_bundles';          -- refinery's own, keyed by a constraint of its naming

select isnt_empty('select * from ours', 'there are tables to look at');
select is_empty('select * from not_the_owners', 'each belongs to striatum_owner');
select is_empty('select * from with_reg_columns', 'none holds an oid');
select is_empty('select * from calling_functions',
  'no default, check, index, view or policy calls a function of ours');
select is_empty('select * from badly_named where name not like ''owner_bundles%''',
  'each constraint is named by the sentence that it makes true');
select is_empty('select * from without_key', 'each has a key');

create temp view named as
  select c.relname::text as name, exists (
           select from pg_attribute where attrelid = c.oid and attname = 'repository_id') as of_one
    from pg_class c where relnamespace = 'striatumd'::regnamespace and relkind in ('r', 'p');
create temp view by_line (name, of_one) as values
  ('repositories', true), ('command_requests', true), ('events', true),    -- STR-STORE-01
  ('clients', false), ('client_capabilities', true), ('client_sessions', true),   -- STR-STORE-03
  ('principals', false), ('principal_clients', false), ('audit_log', true),
  ('installation', false), ('daemon_authority', false),                    -- metadata of the daemon
  ('runs', true), ('workflow_snapshots', true), ('jobs', true), ('job_edges', false),
  ('job_cycles', false), ('job_attempts', false), ('sessions', true), ('session_liveness', false),
  ('process_supervisors', true), ('queue_messages', true), ('leases', true),
  ('work_packets', true), ('artifacts', true), ('verdicts', true), ('blockers', true);
select set_has('select name, of_one from named', 'select name, of_one from by_line',
  'each is there, and what belongs to a repository names it');
select is_empty($$ select c.oid::regclass::text from pg_class c join by_line on name = relname
   where relnamespace <> 'striatumd'::regnamespace $$, 'and none of them elsewhere');
select set_eq('select name from named where name !~ ''_1$''', $$ select name from by_line union
  values ('effects'), ('methods'), ('error_codes'), ('owner_bundles') union
  values ('runs'), ('workflow_snapshots'), ('jobs'), ('job_edges'), ('job_cycles'),
    ('job_attempts'), ('sessions'), ('session_liveness'), ('process_supervisors'),
    ('queue_messages'), ('leases'), ('work_packets'), ('artifacts'), ('verdicts'), ('blockers') $$,
  'beside them there is what is ordered, what is registered, what was applied, and runs');

select is(array_agg(pg_get_constraintdef(oid) order by conname),
  '{"CHECK ((VALUE ~ ''^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$''::text))"}',
  'a kind of artifact is any word')
  from pg_constraint where contypid = 'striatumd.word'::regtype
    or conrelid = 'striatumd.artifacts'::regclass and contype = 'c'
   and pg_get_constraintdef(oid) ~ '\mkind\M';
select is_empty($$ select root from (values ('runs', 'run_id'), ('sessions', 'session_id'),
    ('jobs', 'job_id'), ('leases', 'lease_id'), ('work_packets', 'packet_id'),
    ('artifacts', 'artifact_id'), ('verdicts', 'verdict_id'), ('blockers', 'blocker_id'))
    as roots (root, id)
   where not exists (select from pg_constraint c join pg_attribute a on attrelid = conrelid
           where conrelid = ('striatumd.' || root)::regclass and contype = 'p'
             and conkey = array[attnum] and attname = id
             and atttypid = ('striatumd.' || id)::regtype)
      or not exists (select from pg_attribute where attrelid = ('striatumd.' || root)::regclass
           and attname = 'repository_id' and attnotnull) $$,
  'each root of an aggregate has its id, and its repository');

-- The checkers, checked.
create table striatumd.planted (
  at timestamptz default striatumd.now(), kind regclass, n int check (n > 0));
select isnt_empty('select * from not_the_owners where name = ''planted''',
  'an owner''s rule that sees');
select isnt_empty('select * from with_reg_columns where name = ''planted.kind''',
  'an oid''s rule that sees');
select isnt_empty('select * from calling_functions', 'a default''s rule that sees');
create domain striatumd.sown as text check (value <> '');
select isnt_empty('select * from badly_named where name = ''sown_check''',
  'a domain''s rule that sees');
select isnt_empty('select * from badly_named where name = ''planted_n_check''',
  'a name''s rule that sees');
select isnt_empty('select * from without_key where name = ''planted''', 'a key''s rule that sees');
select throws_ok('drop function striatumd.now()', '2BP01', null,
  'and the drop that would have failed');

select * from finish();
rollback;
