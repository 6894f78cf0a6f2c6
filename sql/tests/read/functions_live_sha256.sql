-- The hash over every function as the catalogue has it.
begin;
select plan(28);

-- given
create temp table before as select striatumd.functions_live_sha256() as hash;
create function pg_temp.moves(p_statement text) returns boolean language sql as $$
  select tap.after(p_statement, 'select striatumd.functions_live_sha256()') <> hash from before
$$;

-- does
select matches(hash, '^[0-9a-f]{64}$', 'a hash') from before;
select is(functions_live_sha256::text, hash,
  'in this copy of a database it is what the installer stored in the original')
  from striatumd.installation, before;
select ok(pg_temp.moves(statement), 'it moves: ' || split_part(statement, e'\n', 1))
  from unnest(array[
  'create function striatumd.another() returns int language sql as ''select 1''',
  'drop function striatumd.daemon_shutdown(striatumd.call_context, jsonb)',
  'create or replace function striatumd.assert_daemon_authority() returns void security definer
     set search_path = pg_catalog, pg_temp as ''begin end'' language plpgsql',
  'alter function striatumd.now() rename to later', 'alter function striatumd.now() stable',
  'alter function striatumd.now() security invoker', 'alter function striatumd.now() leakproof',
  'alter function striatumd.now() set search_path = public',
  'alter function striatumd.now() reset all', 'alter function striatumd.now() parallel safe',
  'alter function striatumd.now() strict', 'alter function striatumd.now() owner to current_user',
  'grant execute on function striatumd.now() to public',
  'grant execute on function striatumd.now() to striatumd_rw',
  'revoke execute on function striatumd.call(bytea, jsonb) from striatumd_rw',
  'alter function striatumd.append_only() security invoker',
  'update striatumd.methods set capability = null where method = ''doctor''',
  'update striatumd.methods set lane = true where method = ''doctor''',
  'delete from striatumd.methods where method = ''doctor''',
  'update striatumd.error_codes set exit_code = 1 where code = ''token_missing''',
  'delete from striatumd.error_codes where code = ''token_missing''',
  'alter function striatum_roles.set_runtime_password(text) security invoker']) as statement;

-- at the boundary
select ok(not pg_temp.moves(statement), 'it stays: ' || what) from (values
  ('revoke all on function striatumd.call(bytea, jsonb) from striatumd_rw;
    grant execute on function striatumd.call(bytea, jsonb) to striatumd_rw',
    'a right taken and given back'),
  ('alter function striatumd.now() volatile; grant execute on function striatumd.now()
      to striatum_owner', 'what was so before'),
  ('create function public.now() returns int language sql as ''select 1''',
    'a function of another schema'),
  ('update striatumd.methods set summary = summary; update striatumd.error_codes
      set exit_code = exit_code', 'a row written as it was')) as same (statement, what);

select * from finish();
rollback;
