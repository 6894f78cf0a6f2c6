-- Refusing by design.
begin;
select plan(4);

create function pg_temp.caught() returns jsonb language plpgsql as $$
declare
  v_detail text;
  v_message text;
begin
  insert into striatumd.principals values ('p', 'human', 'P', '2026-01-01Z');
  perform striatumd.refuse('busy', 'it''s "so"', '{"a": [1]}', array['striatum x']);
exception when sqlstate 'ST001' then
  get stacked diagnostics v_detail = pg_exception_detail, v_message = message_text;
  return jsonb_build_object('message', v_message, 'detail', v_detail::jsonb);
end
$$;

select throws_ok($$ select striatumd.refuse('busy', 'wait', '{}', '{}') $$, 'ST001', 'busy',
  'a refusal has a state of its own, and its code for a message');
select is(pg_temp.caught(), '{"message": "busy", "detail": {"code": "busy", "message":
  "it''s \"so\"", "details": {"a": [1]}, "next": ["striatum x"]}}', 'the rest is its detail');
select is_empty('select from striatumd.principals', 'what was done before it is undone');
select is(tap.sqlstate_of($$ select striatumd.refuse('x', '', '{}', '{}') $$, 'striatumd_rw'),
  '42501', 'the runtime login cannot refuse anything');

select * from finish();
rollback;
