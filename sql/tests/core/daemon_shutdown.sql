-- daemon.shutdown: the daemon is told to end.
begin;
select plan(9);

-- given
select tap.open_door();
select tap.client('bob', '{read, write, recovery}');
select tap.client('eve', '{admin}', tap.repository('app'));
select tap.client('lane', '{admin}');
insert into striatumd.client_sessions
values (tap.client_id('lane'), 'sess_0123456789abcdef', 'repo_' || left(md5('app'), 16),
        '2026-01-01Z');

-- refuses
select is(r #>> '{error,code}' || ' ' || (r ->> 'wakes'), code || ' []', 'asked by ' || what)
  from (values ('bob', 'capability_missing', 'who is no administrator'),
    ('eve', 'capability_scope_mismatch', 'who is one of a repository alone'),
    ('lane', 'capability_denied', 'a session'), (null, 'token_missing', 'nobody')
  ) as asked (who, code, what), tap.ask(who, 'daemon.shutdown', '{}') as r;

-- does
select is(tap.ask('ada', 'daemon.shutdown', '{}') - 'audit_id', '{"ok": true,
  "data": {"is_draining": true}, "effects": [], "wakes": ["daemon:shutdown"]}',
  'an administrator''s request wakes the daemon to its end');
select rows_are('select method, decision::text from striatumd.audit_log
    order by audit_id desc limit 1', $$ values ('daemon.shutdown', 'allowed') $$,
  'which is on record');
select is_empty('select * from striatumd.events', 'no repository has an event of it');
select is_empty('select * from striatumd.command_requests',
  'and no reply of it is kept, to end the next daemon with');
select is(boot_epoch, 1::bigint, 'its authority is not touched') from striatumd.daemon_authority;

select * from finish();
rollback;
