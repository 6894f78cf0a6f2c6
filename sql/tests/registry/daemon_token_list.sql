-- daemon.token.list: the clients that a person can revoke, without their secrets.
begin;
select plan(12);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door();
select tap.client('bob', '{read}', tap.repository('app'));
select tap.client('carol', '{}');
select tap.client('dave', '{}');
update striatumd.clients set created_at = '2026-01-02Z', revoked_at = '2026-11-30T09:00:00Z'
 where display_name = 'carol';
update striatumd.clients set created_at = '2026-01-03Z', expires_at = '2026-11-30T09:00:00Z'
 where display_name = 'dave';
create function pg_temp.listed(p_params jsonb default '{}', p_client text default 'ada')
  returns text[] language sql as $$
  select array_agg(value ->> 'display_name' order by n)
    from jsonb_array_elements(tap.ask(p_client, 'daemon.token.list', p_params)
           #> '{data,clients}') with ordinality as c (value, n)
$$;

-- does: ada and bob were made at one instant, so that their ids decide
select ok(tap.client_id('ada') < tap.client_id('bob'), 'the id of ada comes first');
select is(pg_temp.listed(), '{ada,bob,dave}', 'the oldest first, without the revoked');
select is(pg_temp.listed('{"revoked": false}'), '{ada,bob,dave}', 'also where that is said');
select is(pg_temp.listed('{"revoked": true}'), '{ada,bob,carol,dave}', 'with them where asked for');
select is(tap.ask('ada', 'daemon.token.list', '{}') #> '{data,clients,1}', jsonb_build_object(
  'client_id', tap.client_id('bob'), 'display_name', 'bob',
  'created_at', '2026-01-01T00:00:00.000000Z', 'expires_at', null, 'revoked_at', null,
  'session_id', null, 'principal_id', null, 'grants', jsonb_build_array(jsonb_build_object(
    'capability', 'read', 'repository_id', 'repo_' || left(md5('app'), 16)))),
  'each as all replies show it, with its grants');
select is(tap.ask('ada', 'daemon.token.list', '{}') - 'data' - 'audit_id',
  '{"ok": true, "effects": [], "wakes": []}', 'and it is all that there is to it');
select is(array(select jsonb_object_keys(tap.ask('ada', 'daemon.token.list', '{}') -> 'data')),
  '{clients}', 'nothing else is told');
select is_empty($$ select hash from striatumd.clients,
    lateral unnest(array[encode(token_hash, 'hex'), encode(token_salt, 'hex')]) as hash
   where strpos(tap.ask('ada', 'daemon.token.list', '{"revoked": true}')::text, hash) > 0 $$,
  'no hash and no salt');

-- refuses
select is(tap.code(tap.ask('bob', 'daemon.token.list', '{}')), 'capability_missing',
  'a client without admin');
select tap.client('eve', '{admin}', 'repo_' || left(md5('app'), 16));
select is(tap.code(tap.ask('eve', 'daemon.token.list', '{}')), 'capability_scope_mismatch',
  'nor one that administers a repository alone');
select is(tap.code(tap.ask('carol', 'daemon.token.list', '{}')), 'token_revoked',
  'nor one that was revoked');
select is_empty('select * from striatumd.command_requests', 'no reply of it is kept');

select * from finish();
rollback;
