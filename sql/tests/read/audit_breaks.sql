-- The audit rows that do not follow from the row before.
begin;
select plan(31);

-- given: five rows, the third of them denied; and nothing that keeps a superuser from changing them
select tap.open_door();
select tap.plant('test.echo');
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select is(tap.code(tap.ask(client, 'test.echo', '{}')), code, 'row ' || n) from (values
  (1, 'ada', 'ok'), (2, 'ada', 'ok'), (3, 'eve', 'token_invalid'), (4, 'ada', 'ok'),
  (5, 'ada', 'ok')) as rows (n, client, code) order by n;
set local session_replication_role = replica;
create table striatumd.audit_log_2 partition of striatumd.audit_log for values in (2);
create function pg_temp.breaks(p_statement text, p_most bigint default 100) returns text
  language sql as $$
  select tap.after(p_statement, format(
    'select array_agg(id order by id) from striatumd.audit_breaks(%s) as id', p_most))
$$;

-- does
select is(pg_temp.breaks('select', most), null, 'rows as they were written follow, of ' || most)
  from unnest(array[0, 1, 3, 5, 6, 9223372036854775806]) as most;
select is(pg_temp.breaks(format('update striatumd.audit_log set %s where audit_id = 3', change)),
  seen, 'changed: ' || change) from (values
  ('ts = ts + interval ''1 s'', recorded_at = recorded_at + interval ''1 s''', '{3}'),
  ('daemon_version = null', '{3}'), ('client_id = ''c''', '{3}'), ('repository_id = ''r''', '{3}'),
  ('method = ''test.other''', '{3}'), ('decision = ''error''', '{3}'),
  ('denial_reason = ''busy''', '{3}'), ('transport = ''web''', '{3}'),
  ('request_id = null', '{3}'), ('exit_code = exit_code + 1', '{3}'),
  ('params_sha256 = repeat(''0'', 64)', '{3}'), ('previous_hash = repeat(''0'', 64)', '{3}'),
  ('row_hash = repeat(''0'', 64)', '{3,4}'), ('segment_id = 2', '{3,4}'),
  ('audit_id = 30', '{4,30}')) as changes (change, seen);
select is(pg_temp.breaks('delete from striatumd.audit_log where audit_id = 3'), '{4}',
  'cut out of the middle: the row behind it');
select is(pg_temp.breaks('delete from striatumd.audit_log where audit_id < 3'), '{3}',
  'cut off at the beginning: the row that is first now');

-- at the boundary
select is(
  pg_temp.breaks('update striatumd.audit_log set client_id = ''c'' where audit_id = 3', most), seen,
  format('of the newest %s rows', most)) from (values (2, null), (3, '{3}')) as newest (most, seen);
select is(pg_temp.breaks('delete from striatumd.audit_log where audit_id = 3', 2), '{4}',
  'the oldest of them is held against the row before');

select * from finish();
rollback;
