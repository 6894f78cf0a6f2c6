-- The door: the order of its steps, and what each way through it leaves behind.
-- STR-AUTHZ-10: the audit row is the last write, and without it nothing stands.
begin;
select plan(59);

-- given
select tap.open_door();
select tap.client('bob', '{claim}');
create temp table app as select tap.repository('app') as id;
create function pg_temp.method(p_name text, p_body text, p_change jsonb default '{}') returns void
  language sql as $$
  select tap.plant(p_name, '{"changes": true, "capability": "write"}' || p_change,
    $body$ insert into striatumd.principals values (p ->> 'who', 'human', 'x', p_call.at); $body$
      || p_body)
$$;
select tap.plant('test.echo');
select pg_temp.method('test.enter', $$ return striatumd.decided('{"done": true}',
  jsonb_build_array(striatumd.event(p ->> 'in', 'test.entered', 'test.enter', 'x', '[]')),
  '[{"kind": "thing_there", "args": {"a": 1}}, {"kind": "thing_there", "args": {"a": 2}}]'); $$);
select pg_temp.method('test.refuse', $$ perform striatumd.refuse('repo_git_missing', 'no', '{}',
  array['git init']); $$);
select pg_temp.method('test.give_up', $$ return row(null, striatumd.refusal('symlink_refused', 'no',
  '{}', '{x}'), jsonb_build_array(striatumd.event(p ->> 'in', 'test.lost', 'x', 'x', '[]')), '[]',
  '["w"]', null)::striatumd.decision; $$);
select pg_temp.method('test.decide_nothing', 'return null;');
select pg_temp.method('test.break', 'perform 1 / 0;');
create temp view people as select principal_id from striatumd.principals;
create temp view rows as
  select (select count(*) from striatumd.audit_log) as audit,
         (select count(*) from striatumd.events) as events,
         (select count(*) from striatumd.command_requests) as requests,
         (select count(*) from striatumd.effects) as effects,
         (select count(*) from people) as people;
create function pg_temp.rows() returns text language sql as $$
  select format('%s audit, %s event, %s request, %s effect, %s people', audit, events, requests,
    effects, people) from rows
$$;
create function pg_temp.last_row() returns text language sql as $$
  select concat_ws(' ', audit_id, method, decision, denial_reason, exit_code)
    from striatumd.audit_log order by audit_id desc limit 1
$$;

-- does: a read
create temp table reply as select tap.ask('ada', 'test.echo', '{"a": [1, "é"]}') as is;
select is("is", '{"ok": true, "data": {"a": [1, "é"]}, "effects": [], "wakes": [],
  "audit_id": "1"}', 'a read is answered with its data and its audit row') from reply;
select is(pg_temp.last_row(), '1 test.echo allowed', 'it is on record');
select is(pg_temp.rows(), '1 audit, 0 event, 0 request, 0 effect, 0 people',
  'and nothing else is kept of it');

-- does: a change
truncate reply;
insert into reply select tap.ask('ada', 'test.enter',
  jsonb_build_object('who', 'eve', 'in', id), '{}', '{"request_id": "r-1"}') from app;
select is("is" - 'effects', '{"ok": true, "data": {"done": true}, "wakes": [], "audit_id": "2"}',
  'a change is answered') from reply;
select is("is" -> 'effects', (select jsonb_agg(effect_id order by args) from striatumd.effects),
  'with its effects in the order in which they were decided') from reply;
select is(pg_temp.rows(), '2 audit, 1 event, 1 request, 2 effect, 1 people',
  'its event, its reply, its effects and what it wrote are there');
select is(pg_temp.last_row(), '2 test.enter allowed', 'on record as allowed');
select rows_are(
  'select reply, method, request_id, params_sha256 from striatumd.command_requests',
  $$ select '{"ok": true, "data": {"done": true}}'::jsonb, 'test.enter', 'r-1', params_sha256
       from striatumd.audit_log where audit_id = 2 $$, 'the reply is kept as it was decided');

-- does: a refusal undoes the method, and a lasting one does not
select is(tap.ask('ada', 'test.refuse', '{"who": "mallory"}'), '{"ok": false, "error": {
  "code": "repo_git_missing", "message": "no", "details": {}, "next": ["git init"]},
  "effects": [], "wakes": [], "audit_id": "3"}', 'a refusal says what it was made of');
select is(pg_temp.last_row(), '3 test.refuse denied repo_git_missing 12',
  'on record with the exit code of its own');
select is(pg_temp.rows(), '3 audit, 1 event, 1 request, 2 effect, 1 people',
  'nothing else is left of the method that refused');
select is(tap.code(tap.ask('ada', 'test.refuse', '{"who": "mallory"}', '{}',
  '{"request_id": "r-1"}')), 'duplicate_request', 'nor does it run under a used request id');
select is(tap.ask('ada', 'test.give_up', jsonb_build_object('who', 'carol', 'in', id), '{}',
    '{"request_id": "r-2"}'), '{"ok": false, "error": {"code": "symlink_refused", "message": "no",
  "details": {}, "next": ["x"]}, "effects": [], "wakes": ["w"], "audit_id": "5"}',
  'a lasting refusal is one, too') from app;
select is(pg_temp.last_row(), '5 test.give_up denied symlink_refused 6', 'on record as denied');
select is(pg_temp.rows(), '5 audit, 2 event, 2 request, 2 effect, 2 people',
  'and keeps its change, its event and its reply');

-- does: what settles nothing ends no request, but at the last try
select pg_temp.method('test.wait', $$ return striatumd.unsettled('wait', '{"status": "none"}',
  null); $$);
select pg_temp.method('test.look', $$ return striatumd.unsettled('look', null,
  striatumd.refusal('symlink_refused', 'no', '{}', '{x}')); $$);
create function pg_temp.said(p_statement text) returns text language plpgsql as $$
declare
  v_detail text;
begin
  execute p_statement;
  return 'nothing';
exception when sqlstate 'ST002' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return concat_ws(' ', sqlerrm, v_detail);
end
$$;
select is(pg_temp.said(format('select tap.ask(%L, %L, %L, %L, %L)', 'ada', method,
  '{"who": "nobody"}', '{}', more)), said, format('%s, %s', method, more))
  from (values ('test.wait', '{}', 'wait run:'), ('test.look', '{}', 'look run:'),
    ('test.wait', '{"is_final": false}', 'wait run:'),
    ('test.wait', '{"is_final": "true"}', 'wait run:')) as asked (method, more, said);
select is(pg_temp.rows(), '5 audit, 2 event, 2 request, 2 effect, 2 people',
  'nothing is left of such a try');
select is(tap.ask('ada', 'test.wait', '{"who": "trent"}', '{}', '{"is_final": true,
  "request_id": "r-3"}') -> 'data', '{"status": "none"}', 'the last try is answered');
select is(tap.code(tap.ask('ada', 'test.look', '{"who": "victor"}', '{}', '{"is_final": true}')),
  'symlink_refused', 'or refused');
select is(pg_temp.rows(), '7 audit, 2 event, 2 request, 2 effect, 4 people',
  'that is on record, and not kept for a repetition');
select is(pg_temp.last_row(), '7 test.look denied symlink_refused 6', 'as what it was');
delete from striatumd.principals where principal_id in ('trent', 'victor');
select is(tap.ask('ada', 'test.wait', '{"who": "trent"}', '{}', '{"is_final": true,
  "request_id": "r-3"}') -> 'replayed', null, 'so that the same request asks anew');
delete from striatumd.principals where principal_id = 'trent';
select tap.run_stage('r', 'run');
select tap.plant('test.wait_run', '{"scope": "single_repo", "lock_class": "run"}', $$
  return striatumd.unsettled('wait', '{}', null); $$);
select is(pg_temp.said(format('select tap.ask(%L, %L, %L)', 'ada', 'test.wait_run',
  jsonb_build_object('repository_id', tap.id('repo', 'run'), 'run_id', tap.id('run', 'r')))),
  'wait run:' || tap.id('run', 'r'), 'and says which run it waits for');
select tap.plant('test.wait_for', '{"scope": "single_repo", "lock_class": "run"}', $$
  return jsonb_populate_record(striatumd.unsettled('wait', '{}', null),
    '{"wakes": ["events:x", "other"]}'); $$);
create temp table in_run as select jsonb_build_object('repository_id', tap.id('repo', 'run'),
  'run_id', tap.id('run', 'r')) as params;
select is(pg_temp.said(format('select tap.ask(%L, %L, %L)', 'ada', 'test.wait_for', params)),
  'wait events:x', 'unless the decision names what it waits for') from in_run;
select is(pg_temp.rows(), '8 audit, 2 event, 2 request, 2 effect, 2 people', 'at its end');
select is(tap.after('select', format('select tap.ask(%L, %L, %L, %L, %L) -> ''wakes''', 'ada',
  'test.wait_for', params, '{}', '{"is_final": true}')), '[]', 'whoever stops waiting wakes nobody')
  from in_run;

-- at the boundary: what is a fault leaves nothing at all
select throws_ok($$ select tap.ask('ada', 'test.decide_nothing', '{"who": "x"}') $$, 'P0001',
  'test_decide_nothing decided nothing', 'a decision that decided nothing is a fault');
select throws_ok($$ select tap.ask('ada', 'test.break', '{"who": "x"}') $$, '22012', null,
  'a fault leaves the door as what it is');
select throws_ok($$ select tap.ask('ada', 'test.enter', '{"who": "eve"}') $$, '23505', null,
  'also one that a constraint found');
select is(pg_temp.rows(), '8 audit, 2 event, 2 request, 2 effect, 2 people', 'and leaves no row');

-- preflight
select is(tap.ask('ada', 'repo.add', '{"path": "/srv/x"}', '{}', '{"phase": "preflight"}'),
  '{"ok": true, "observe": {"repository_root": {"path": "/srv/x"}}}',
  'a preflight that lets the request go on says what to look at');
select is(pg_temp.rows(), '8 audit, 2 event, 2 request, 2 effect, 2 people',
  'and ends nothing, so it leaves no row');
select is(tap.code(tap.ask('ada', 'test.break', '{}', '{}', '{"phase": "preflight"}')), 'ok',
  'the method does not run in it');
select is(tap.code(tap.ask('bob', 'repo.add', '{}', '{}', '{"phase": "preflight"}')),
  'capability_missing', 'a preflight that refuses ends the request');
select is(pg_temp.last_row(), '9 repo.add denied capability_missing 13', 'so that is on record');
select is(tap.ask('ada', 'test.enter', jsonb_build_object('who', 'eve', 'in', id), '{}',
  '{"request_id": "r-1", "phase": "preflight"}') -> 'replayed', 'true',
  'so does one that finds its reply') from app;
select is(pg_temp.last_row(), '10 test.enter allowed', 'and that is on record, too');

-- the order of the steps: each of these would have been refused by the later ones as well
select is(tap.code(tap.ask(null, 'test.unknown', '{}')), 'method_unknown',
  'the method comes before the token');
select is(tap.code(tap.ask(null, 'test.break', '{}')), 'token_missing',
  'the token before the capability');
select is(tap.code(tap.ask('bob', 'test.break', '{"who": "x"}')), 'capability_missing',
  'the capability before the method''s own');
update striatumd.clients set revoked_at = '2026-11-30Z' where client_id = tap.client_id('ada');
select is(tap.ask('ada', 'test.enter', jsonb_build_object('who', 'eve', 'in', id), '{}',
  '{"request_id": "r-1"}') -> 'replayed', 'true', 'the kept reply before the revocation') from app;
select is(tap.code(tap.ask('ada', 'test.enter', '{"who": "x"}')), 'token_revoked',
  'and that before all new requests');
update striatumd.clients set revoked_at = null;

-- the locks of the class come after "may they", which is then asked again
select pg_temp.method('test.lock', $$ return striatumd.decided(jsonb_build_object('at', p_call.at,
  'locked', tap.holds('striatum:repository:' || p_call.repository_id),
  'capabilities', p_call.capabilities, 'in', p_call.repository_id), '[]', '[]'); $$,
  '{"scope": "single_repo", "lock_class": "repository"}');
grant usage on schema tap to striatum_owner;
create function pg_temp.lock(p_who text, p_client text default 'ada', p_more jsonb default '{}')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'test.lock', jsonb_build_object('who', p_who, 'repository_id', id), '{}',
    p_more) from app
$$;
select is(tap.code(pg_temp.lock('x', 'bob')), 'capability_missing', 'who may not do it');
select is(tap.code(pg_temp.lock('x', 'ada', '{"phase": "preflight"}')), 'ok', 'or asks ahead');
select ok(not tap.holds('striatum:repository:' || id), 'locks nothing') from app;
select is(pg_temp.lock('dave', 'ada', '{"phase": null}') #> '{data,locked}', 'true',
  'the method runs under the lock, whatever the phase is called');
select ok(tap.holds('striatum:repository:' || id), 'which lasts as long as the transaction')
  from app;
create or replace function striatumd.take_locks(p_call striatumd.call_context,
    p_method striatumd.methods)
  returns void language plpgsql security definer as $$
begin         -- what somebody else may do while we wait for the lock
  perform set_config('striatum.test_now', '2026-11-30T12:00:00Z', true);
  update striatumd.clients set revoked_at = '2026-11-30T12:00:00Z'
   where current_setting('test.revokes') = 'true';
end
$$;
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true),
       set_config('test.revokes', 'false', true);
select is((pg_temp.lock('frank') #>> '{data,at}')::timestamptz, '2026-11-30T12:00:00Z',
  'the instant of the call is taken after the locks');
select set_config('test.revokes', 'true', true);
select is(tap.code(pg_temp.lock('grace')), 'token_revoked',
  'what changed during the wait is heard');
select is_empty('select from people where principal_id = ''grace''', 'and the method did not run');
update striatumd.clients set revoked_at = null;
select set_config('test.revokes', 'false', true);

-- the audit row is the last write: a trigger looks at all the rest when it is written
create function pg_temp.rest() returns text language sql as $$
  select string_agg(query_to_xml(format('select * from %s order by 1, 2', name), true, false, '')
           ::text, '' order by name::text)
    from (select oid::regclass as name from pg_class where relkind in ('r', 'p')
           and relnamespace = 'striatumd'::regnamespace and relname not like 'audit_log%') tables
$$;
create temp table seen (rest text);
create function pg_temp.look() returns trigger language plpgsql security definer as $$
begin
  if current_setting('test.audit') = 'fails' then
    raise exception using errcode = '53100', message = 'no room for an audit row';
  end if;
  insert into seen select pg_temp.rest();
  return null;
end
$$;
create trigger look after insert on striatumd.audit_log for each row
  execute function pg_temp.look();
select set_config('test.audit', 'works', true);
select is(tap.code(tap.ask('ada', 'test.enter', jsonb_build_object('who', 'heidi', 'in', id))),
  'ok', 'a change goes through') from app;
select is(pg_temp.rest(), rest, 'when its audit row was written, all the rest was there') from seen;
select matches(rest, '<principal_id>heidi<', 'which the trigger saw') from seen;
create temp table before as select pg_temp.rows() as rows;
select set_config('test.audit', 'fails', true);
select throws_ok($$ select tap.ask('ada', 'test.enter',
  jsonb_build_object('who', 'ivan', 'in', id)) from app $$, '53100', null,
  'where no audit row can be written');
select throws_ok($$ select tap.ask('ada', 'test.echo', '{}') $$, '53100', null, 'nor read is');
select is(pg_temp.rows(), rows, 'nothing of the change stands') from before;

select * from finish();
rollback;
