-- A client made of a minted secret.
begin;
select plan(12);

-- given
select tap.open_door();
create function pg_temp.made(p_capabilities striatumd.capability[], p_repository_id text,
    p_expires_at timestamptz default null, p_observed jsonb default tap.minted('new-secret'))
  returns text language sql as $$
  select striatumd.new_client((null, null, null, null, null, null, null, p_observed,
    '2026-11-30T10:00:00Z')::striatumd.call_context, 'laptop', p_expires_at, p_capabilities,
    p_repository_id)
$$;
create function pg_temp.grants(p_client_id text) returns text[] language sql as $$
  select array_agg(concat_ws(' ', capability, coalesce(repository_id, 'all'), granted_at at time
           zone 'UTC', revoked_at) order by capability)
    from striatumd.client_capabilities where client_id = p_client_id
$$;

-- around
select throws_ok($$ select pg_temp.made('{read}', null) $$, '28000', 'daemon_authority_missing',
  'none is made without the daemon''s secret');

-- does
select tap.authorize();
create temp table made as select pg_temp.made('{read, claim}', null) as everywhere,
  pg_temp.made('{write}', 'repo_1', '2026-11-30T10:00:01Z') as here,
  pg_temp.made('{}', null) as bare;
select matches(everywhere, '^client_[0-9a-f]{16}$', 'the answer is its id') from made;
select isnt(everywhere, here, 'a new one each time') from made;
select rows_are('select c.* from striatumd.clients c, made where client_id = everywhere',
  $$ select everywhere, 'laptop', sha256('new-secretpepperpepperpepper'),
            'pepperpepperpepper'::bytea, '2026-11-30T10:00:00Z'::timestamptz, null::timestamptz,
            null::timestamptz from made $$, 'it has the digest and the instant of the call');
select is(expires_at, '2026-11-30T10:00:01Z', 'and the end that was said')
  from striatumd.clients, made where client_id = here;
select is(pg_temp.grants(everywhere),
  '{"read all 2026-11-30 10:00:00", "claim all 2026-11-30 10:00:00"}',
  'what it may do holds everywhere') from made;
select is(pg_temp.grants(here), '{"write repo_1 2026-11-30 10:00:00"}', 'or in one repository')
  from made;
select is(pg_temp.grants(bare), null, 'or it may do nothing yet') from made;
select is(count(*), 8::bigint, 'its neighbour holds what it held')
  from striatumd.client_capabilities where client_id = tap.client_id('ada');

-- at the boundary: without a digest that is one there is no client
select throws_ok($$ select pg_temp.made('{read}', null, null, '{}') $$, '23502', null,
  'no digest was observed');
select throws_ok($$ select pg_temp.made('{read}', null, null,
  '{"minted_secret": {"salt": "", "hash": ""}}') $$, '23514', null, 'an empty one was');
select throws_ok($$ select pg_temp.made('{read}', null, '2026-11-30T10:00:00Z') $$, '23514', null,
  'and none ends at the instant at which it is made');

select * from finish();
rollback;
