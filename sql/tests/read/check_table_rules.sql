-- doctor, table_rules: nothing runs at a write beside what the bundles made.
begin;
select plan(17);

-- given
create function pg_temp.found(p_statement text) returns jsonb language sql as $$
  select tap.after(p_statement, 'select striatumd.check_table_rules()::text')::jsonb
$$;
create function public.spy() returns trigger language plpgsql as 'begin return new; end';
create function public.watch() returns event_trigger language plpgsql as 'begin end';

-- does
select is(striatumd.check_table_rules(), '{"plane": "provenance", "name": "table_rules", "ok": true,
  "message": "nothing runs at a write beside what the owner''s bundles made", "affected": [],
  "next": []}', 'as installed');
select is(pg_temp.found('create trigger spy before insert on striatumd.clients
    for each row execute function public.spy()'), '{"plane": "provenance", "name": "table_rules",
  "ok": false, "message": "what is written or read may be changed on its way by these",
  "affected": ["trigger spy on clients"],
  "next": ["psql: take away what is named, as its owner", "striatum doctor"]}', 'a trigger');
select is(pg_temp.found(statement) -> 'affected', affected,
    regexp_replace(statement, '\s+', ' ', 'g'))
  from (values
  ('create trigger spy before insert on striatumd.events
    for each row execute function public.spy()',
    '["trigger spy on events", "trigger spy on events_1"]'::jsonb),
  ('create trigger spy after insert on striatumd.audit_log_1
    for each statement execute function public.spy()', '["trigger spy on audit_log_1"]'),
  ('create trigger spy instead of insert on striatumd.audit_chain_head
    for each row execute function public.spy()', '["trigger spy on audit_chain_head"]'),
  ('create trigger append_only before insert on striatumd.methods
    for each row execute function striatumd.append_only()', '["trigger append_only on methods"]'),
  ('create trigger spy before insert on striatumd.events
    for each statement execute function striatumd.append_only()', '["trigger spy on events"]'),
  ('drop trigger never_emptied on striatumd.events; create trigger never_emptied
    before truncate on striatumd.events execute function public.spy()',
    '["trigger never_emptied on events"]'),
  ('create or replace trigger completion_is_written_once before update on striatumd.runs
    for each row execute function public.spy()', '["trigger completion_is_written_once on runs"]'),
  ('create rule gone as on insert to striatumd.effects do instead nothing',
    '["rule gone on effects"]'),
  ('alter table striatumd.clients enable row level security', '["row security on clients"]'),
  ('alter table striatumd.clients force row level security', '["row security on clients"]'),
  ('create event trigger watch on ddl_command_end execute function public.watch()',
    '["event trigger watch"]'),
  ('create rule gone as on insert to striatumd.effects do instead nothing;
    alter table striatumd.clients enable row level security',
    '["row security on clients", "rule gone on effects"]')) as made (statement, affected);

-- at the boundary
select is(pg_temp.found(statement) -> 'ok', 'true', 'none of ours: '
    || regexp_replace(statement, '\s+', ' ', 'g')) from unnest(array[
  'create event trigger watch on ddl_command_end execute function public.watch();
    alter extension pgtap add event trigger watch',
  'create table public.events (n int); create trigger spy before insert on public.events
    for each row execute function public.spy()',
  'alter table striatumd.events disable trigger append_only']) as statement;

select * from finish();
rollback;
