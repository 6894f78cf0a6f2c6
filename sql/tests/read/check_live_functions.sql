-- doctor, live_functions: the functions are as the last apply left them.
begin;
select plan(5);

-- does
select is(striatumd.check_live_functions(), '{"plane": "provenance", "name": "live_functions",
  "ok": true, "message":
  "the functions and what is registered are as the last apply left them", "affected": [],
  "next": []}', 'as installed');
select is(tap.after(statement, 'select striatumd.check_live_functions()')::jsonb, '{
  "plane": "provenance", "name": "live_functions", "ok": false, "message":
  "what the functions do, whose they are, who may run them or what is registered '
  'differs since the last apply",
  "affected": [], "next": ["striatum db plan", "striatum db apply"]}', 'by hand: ' || statement)
  from unnest(array['alter function striatumd.now() security invoker',
    'grant execute on function striatumd.now() to striatumd_rw',
    'update striatumd.methods set capability = null where method = ''doctor''']) as statement;

-- at the boundary
select is(tap.after('update striatumd.installation set functions_live_sha256 = null,
    functions_sha256 = null, functions_applied_at = null',
  'select striatumd.check_live_functions() -> ''ok'''), 'false', 'what was never stored');

select * from finish();
rollback;
