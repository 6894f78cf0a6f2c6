-- doctor, tokens: somebody can administer the daemon for a while yet.
begin;
select plan(14);

-- given
create function pg_temp.with(p_change text, p_capability text default 'admin',
    p_repository_id text default null)
  returns jsonb language sql as $$
  select tap.after(format('select tap.client(''x'', array[%L]::striatumd.capability[], %L); %s',
      p_capability, p_repository_id, replace(p_change, ':x', quote_literal(tap.client_id('x')))),
    'select striatumd.check_tokens(''2026-11-30T10:00:00Z'')')::jsonb
$$;

-- does
select is(striatumd.check_tokens('2026-11-30T10:00:00Z'), '{"plane": "availability",
  "name": "tokens", "ok": false,
  "message": "no token that lasts another day can administer the daemon", "affected": [],
  "next": ["striatum token create admin", "striatumd token recover"]}', 'there is none');
select is(pg_temp.with('select'), '{"plane": "availability", "name": "tokens", "ok": true,
  "message": "1 tokens can administer the daemon", "affected": [], "next": []}', 'one is enough');
select is(pg_temp.with('select tap.client(''y'', ''{read, admin}'')') ->> 'message',
  '2 tokens can administer the daemon', 'all are counted');

-- does: what cannot administer, or not for long
select is(pg_temp.with('select', capability) -> 'ok', 'false', capability || ' is not enough')
  from unnest(array['read', 'write', 'recovery']) as capability;
select is(pg_temp.with('select', 'admin', 'repo_0123456789abcdef') -> 'ok', 'false',
  'nor is admin in one repository');
select is(pg_temp.with('update striatumd.clients set revoked_at = created_at where client_id = :x')
  -> 'ok', 'false', 'a token that was revoked');
select is(pg_temp.with('update striatumd.client_capabilities set revoked_at = granted_at
    where client_id = :x') -> 'ok', 'false', 'a right that was taken back');
select is(pg_temp.with('update striatumd.clients set expires_at = ''2026-11-30T09:00:00Z''')
  -> 'ok', 'false', 'a token that has expired');
select is(pg_temp.with('update striatumd.clients set expires_at = ''2026-11-30T20:00:00Z''')
  -> 'ok', 'false', 'one that expires today');
select is(pg_temp.with('update striatumd.clients set expires_at = ''2026-11-30T20:00:00Z'';
    select tap.client(''y'', ''{admin}'')') ->> 'message', '1 tokens can administer the daemon',
  'is not missed while there is another');

-- at the boundary
select is(pg_temp.with(format('update striatumd.clients set expires_at = %L', at)) ->> 'ok', ok,
  'at ' || at) from (values ('2026-12-01T10:00:00Z', 'false'),
  ('2026-12-01T10:00:00.000001Z', 'true')) as ends (at, ok);

select * from finish();
rollback;
