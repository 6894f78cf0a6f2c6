-- What the observers of a method are told to look at.
begin;
select plan(9);

-- given
select tap.open_door();
select tap.client('bob', '{claim}');
create function striatumd.observe_one(p_call striatumd.call_context, p jsonb) returns jsonb
  language sql as $$ select jsonb_build_object('path', p -> 'path', 'by', p_call.client_id) $$;
create function striatumd.observe_two(p_call striatumd.call_context, p jsonb) returns jsonb
  language sql as $$ select '[1, 2]'::jsonb $$;
create function striatumd.observe_none(p_call striatumd.call_context, p jsonb) returns jsonb
  language sql as 'select null::jsonb';
create function striatumd.observe_refusing(p_call striatumd.call_context, p jsonb) returns jsonb
  language plpgsql as $$
begin
  perform striatumd.refuse('symlink_refused', 'no', '{}', '{x}');
end
$$;
select tap.plant('test.blind'),
       tap.plant('test.two', '{"observers": ["one", "two"], "changes": true}'),
       tap.plant('test.none', '{"observers": ["none"]}'),
       tap.plant('test.refusing', '{"observers": ["one", "refusing"]}'),
       tap.plant('test.lost', '{"observers": ["lost"]}');
create function pg_temp.ask(p_method text, p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, p_method, '{"path": "/x"}', '{}', '{"phase": "preflight"}')
$$;

-- does
select is(pg_temp.ask('test.two'), jsonb_build_object('ok', true, 'observe', jsonb_build_object(
  'one', jsonb_build_object('path', '/x', 'by', tap.client_id('ada')), 'two', '[1, 2]'::jsonb)),
  'each observer is told of its own');
select is(pg_temp.ask('test.blind'), '{"ok": true, "observe": {}}',
  'a method that looks at nothing may go on');
select is(pg_temp.ask('test.none'), '{"ok": true, "observe": {"none": null}}',
  'an observer may be told nothing');
select is_empty('select from striatumd.audit_log', 'none of it ended a request');
select is_empty('select from striatumd.command_requests', 'or is kept');

-- refuses
select is(tap.code(pg_temp.ask('test.refusing')), 'symlink_refused',
  'what can be refused without looking is');
select is(denial_reason, 'symlink_refused', 'and that is on record') from striatumd.audit_log;
select is(tap.code(pg_temp.ask('test.two', 'bob')), 'capability_missing',
  'who may not do it is not told what to look at');
select throws_ok($$ select pg_temp.ask('test.lost') $$, '42883', null,
  'an observer without its half here is a fault');

select * from finish();
rollback;
