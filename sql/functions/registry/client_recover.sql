-- client.recover: makes a new administrator for whoever may start the daemon and has lost the token
-- of the one before. What that token may do is left as it is: who finds it again revokes it.
--
-- Keeps:  who asks is the daemon itself, which nobody but its own user can start
create function striatumd.client_recover(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();

  -- change
  return striatumd.decided(jsonb_build_object('client_id', striatumd.new_client(p_call,
    'recovered administrator', null, enum_range(null::striatumd.capability), null)), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, internal,
  params, observers, error_codes)
values ('client.recover', 'Make a new administrator for who has lost the token', null,
  'daemon_global', 'none', true, true,
  '{"type": "object", "additionalProperties": false, "properties": {}}', '{minted_secret}', '{}');
