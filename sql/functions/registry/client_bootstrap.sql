-- client.bootstrap: makes the first client, an administrator, while there is none.
--
-- Errors:  clients_present  there are clients already
-- Locks:   the first client's, so that two daemons make one
create function striatumd.client_bootstrap(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  perform pg_advisory_xact_lock(hashtextextended('striatum:first_client', 0));

  -- refuse
  if exists (select from striatumd.clients) then
    perform striatumd.refuse('clients_present', 'there are clients already', '{}',
      array['striatumd token recover']);
  end if;

  -- change
  return striatumd.decided(jsonb_build_object('client_id', striatumd.new_client(p_call,
    'first administrator', null, enum_range(null::striatumd.capability), null)), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, internal,
  params, observers, error_codes)
values ('client.bootstrap', 'Make the first client while there is none', null, 'daemon_global',
  'none', true, true, '{"type": "object", "additionalProperties": false, "properties": {}}',
  '{minted_secret}', '{clients_present}');
