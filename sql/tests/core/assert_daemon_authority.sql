-- Who may write: whoever holds the serving daemon's secret.
-- STR-AUTHZ-02: it is held against a digest that the runtime login cannot read, and no table holds
-- the secret itself.
begin;
select plan(21);

create function pg_temp.asserts(p_secret bytea) returns text language plpgsql as $$
begin
  perform set_config('striatum.daemon_auth', encode(p_secret, 'hex'), true);
  return tap.sqlstate_of('select striatumd.assert_daemon_authority()');
end
$$;

-- given: nobody serves
select is(pg_temp.asserts(secret), '28000', 'while nobody serves, nobody has authority')
  from unnest(array[null, '', repeat('secret', 6)]::bytea[]) as secret;

-- does
select tap.open_door();
select is(pg_temp.asserts(repeat('secret', 6)::bytea), null, 'the serving daemon has it');
select is(pg_temp.asserts(secret), '28000', 'and not ' || what)
  from (values (null::bytea, 'who has no secret'), ('', 'who has an empty one'),
    ('secret', 'who knows a part'), (repeat('secret', 6)::bytea || '\x00', 'who knows more'),
    (repeat('SECRET', 6)::bytea, 'who has another'),
    (sha256(repeat('secret', 6)::bytea || repeat('salt', 8)::bytea), 'who has the digest'),
    (repeat('salt', 8)::bytea, 'who has the salt')) as other (secret, what);
select throws_ok('select striatumd.assert_daemon_authority()', '28000', 'daemon_authority_missing',
  'the error says what is missing');
select set_config('striatum.daemon_auth', '', true);
select is(tap.sqlstate_of('select striatumd.assert_daemon_authority()'), '28000',
  'an empty setting is none');
select ok(tap.sqlstate_of('select striatumd.assert_daemon_authority()') is not null,
  'nor one that is no hexadecimal: ' || set_config('striatum.daemon_auth', 'zz', true));

-- an empty secret has no digest that would let everybody in
update striatumd.daemon_authority set digest = sha256(salt);
select set_config('striatum.daemon_auth', '', true);
select is(tap.sqlstate_of('select striatumd.assert_daemon_authority()'), '28000',
  'not even where the digest is that of the empty secret');
update striatumd.daemon_authority
   set digest = sha256(repeat('secret', 6)::bytea || repeat('salt', 8)::bytea);

-- at the boundary: another daemon takes over
select is(pg_temp.asserts(repeat('secret', 6)::bytea), null, 'until then it holds');
update striatumd.daemon_authority set digest = sha256(repeat('second', 6)::bytea || salt);
select is(pg_temp.asserts(repeat('secret', 6)::bytea), '28000', 'then it is gone at once');
select is(pg_temp.asserts(repeat('second', 6)::bytea), null, 'and the other daemon''s');

-- around the door: the registry, and where the secret would be found
set local xmlbinary = hex;
select is_empty(format($$
  select oid::regclass from pg_class
   where relkind in ('r', 'p', 'v') and relnamespace = 'striatumd'::regnamespace
     and query_to_xml(format('select * from %%s', oid::regclass), true, false, '')::text
         ~* '(%s|secondsecond)' $$, encode(repeat('second', 6)::bytea, 'hex')),
  'no table holds the secret');
select is(tap.sqlstate_of('select digest from striatumd.daemon_authority', login), '42501',
  login || ' cannot read the digest')
  from unnest(array['striatumd_rw', 'striatumd_rw_' || current_database()]) as login;

select * from finish();
rollback;
