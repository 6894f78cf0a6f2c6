-- daemon.hello: what both sides speak.
begin;
select plan(22);

-- given
select tap.open_door();
update striatumd.daemon_authority set boot_epoch = 9007199254740993;
insert into striatumd.owner_bundles (version, name, applied_on, checksum)
values (1000, 'later', '2026-11-30T10:00:00Z', '1');
create function pg_temp.hello(p_envelope jsonb default '[1]', p_framings jsonb default '["json"]',
    p_client text default null, p_more jsonb default '{}')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'daemon.hello', jsonb_build_object('client', jsonb_build_object(
    'name', 'striatum', 'version', '0.1.0', 'supported_envelope', p_envelope,
    'supported_framings', p_framings)), '{}', p_more)
$$;

-- does
select is(pg_temp.hello() #- '{data,methods_etag}', '{"ok": true, "data": {"envelope": 1,
  "framing": "json", "substrate": "postgres", "substrate_schema": 1000, "instance_id": "i-1",
  "daemon_version": "0.1.0",
  "boot_epoch": "9007199254740993"}, "effects": [], "wakes": [], "audit_id": "1"}',
  'nobody has to prove who they are');
select matches(pg_temp.hello() #>> '{data,methods_etag}', '^sha256:[0-9a-f]{64}$',
  'they learn which methods there are by one hash');
select is(pg_temp.hello() #> '{data,methods_etag}',
  tap.ask('ada', 'daemon.describe', '{}') #> '{data,methods_etag}',
  'which is the one of the description');
select is(pg_temp.hello('[3, 1, 2]', '["cbor", "json"]') #>> '{data,envelope}', '1',
  'who speaks others as well speaks this one');
select rows_are('select client_id, decision::text, method from striatumd.audit_log
    where audit_id = 1', $$ values (null::text, 'allowed', 'daemon.hello') $$,
  'it is on record, of nobody');
select is(tap.code(pg_temp.hello('[1]', '["json"]', 'ada')), 'ok', 'with a token it is the same');
select rows_are('select client_id from striatumd.audit_log order by audit_id desc limit 1',
  array[tap.client_id('ada')], 'and on record as its client''s');

-- refuses
select is(pg_temp.hello('[2]') -> 'error', '{"code": "version_incompatible",
  "message": "this daemon speaks envelope 1 in framing json, and the client does not",
  "details": {"daemon_supported_envelope": [1], "daemon_supported_framings": ["json"]},
  "next": ["the same request from a client of this daemon''s version"]}',
  'another envelope; it says what would do');
select rows_are('select denial_reason, exit_code from striatumd.audit_log
    order by audit_id desc limit 1', $$ values ('version_incompatible', 10) $$,
  'on record with the exit code of its own');
select is(tap.code(pg_temp.hello(envelope, framings)), 'version_incompatible',
  format('envelopes %s, framings %s', envelope, framings))
  from (values ('[]'::jsonb, '["json"]'::jsonb), ('[1]', '[]'), ('[0, 2]', '["json"]'),
    ('[1]', '["cbor"]'), ('[1]', '["JSON"]'), ('["1"]', '["json"]'), ('[11]', '["json"]')
  ) as spoken (envelope, framings);
select is(tap.code(tap.ask(null, 'daemon.hello', params)), 'version_incompatible',
  'who does not say what they speak: ' || params::text)
  from unnest(array['{}', '{"client": {}}', '{"client": {"supported_envelope": [1]}}',
    '{"client": {"supported_framings": ["json"]}}']::jsonb[]) as params;

-- around the door
update striatumd.clients set revoked_at = '2026-11-30Z' where display_name = 'ada';
select is(tap.code(pg_temp.hello('[1]', '["json"]', 'ada')), 'ok',
  'who was revoked is greeted and learns no more than others');
select is_empty('select * from striatumd.command_requests', 'no reply of it is kept');

select * from finish();
rollback;
