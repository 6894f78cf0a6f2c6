-- Nobody hands out what they do not hold everywhere.
begin;
select plan(10);

-- given
select tap.open_door();
select tap.client('eve', '{admin, read}'), tap.client('bob', '{read}', 'repo_0123456789abcdef');
insert into striatumd.client_capabilities
  (client_id, capability, granted_at, revoked_at)
values (tap.client_id('eve'), 'claim', '2026-01-01Z', '2026-01-02Z');
create function pg_temp.hand_out(p_who text, p_what striatumd.capability[]) returns text
  language sql as $$
  select format('select striatumd.refuse_ungrantable(%L, %L)', tap.client_id(p_who), p_what)
$$;
create function pg_temp.detail(p_statement text) returns jsonb language plpgsql as $$
declare
  v_detail text;
begin
  execute p_statement;
  return null;
exception when sqlstate 'ST001' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail::jsonb;
end
$$;

-- around
select throws_ok(pg_temp.hand_out('ada', '{read}'), '28000', 'daemon_authority_missing',
  'nothing is looked at without the daemon''s secret');
select tap.authorize();

-- does
select lives_ok(pg_temp.hand_out('ada', enum_range(null::striatumd.capability)),
  'who holds all may hand out all');
select lives_ok(pg_temp.hand_out('eve', '{read, admin}'), 'who holds two may hand out two');
select lives_ok(pg_temp.hand_out('bob', '{}'), 'anybody may hand out nothing');
select lives_ok(pg_temp.hand_out('bob', null), 'which may be written as null');

-- refuses
select is(pg_temp.detail(pg_temp.hand_out('eve', '{apply, read, write}')) -> key, value, says)
  from (values ('details', '{"lacking": ["write", "apply"]}'::jsonb, 'it says what is lacking'),
    ('next', '["the same request from a client that holds them"]', 'and who may'))
    as told (key, value, says);
select throws_ok(pg_temp.hand_out('eve', '{read, write, apply}'), 'ST001',
  'capability_scope_mismatch', 'what one never held');
select throws_ok(pg_temp.hand_out('eve', '{claim}'), 'ST001', 'capability_scope_mismatch',
  'what was taken back');
select throws_ok(pg_temp.hand_out('bob', '{read}'), 'ST001', 'capability_scope_mismatch',
  'what one holds in one repository alone');

select * from finish();
rollback;
