-- daemon.token.revoke: takes a token back at once. Revoking what is revoked changes nothing.
--
-- Keeps:   somebody can still administer: the last token that may is not revoked
-- Errors:  client_unknown      there is no such client
--          last_administrator  nobody else holds admin everywhere
-- Locks:   the administrators, so that two cannot revoke each other; the client's row
create function striatumd.daemon_token_revoke(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_client striatumd.clients;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  perform pg_advisory_xact_lock(hashtextextended('striatum:administrators', 0));
  v_client := striatumd.locked_client(p ->> 'client_id');

  -- refuse
  if v_client.revoked_at is null and not exists (
    select from striatumd.client_capabilities g
      join striatumd.clients c on c.client_id = g.client_id
     where g.capability = 'admin' and g.repository_id is null and g.revoked_at is null
       and c.client_id <> v_client.client_id and c.revoked_at is null
       and coalesce(c.expires_at, 'infinity') > p_call.at) then
    perform striatumd.refuse('last_administrator',
      format('%s is the last that can administer', v_client.client_id),
      jsonb_build_object('client_id', v_client.client_id),
      array[format('striatum token rotate %s', v_client.client_id),
            'striatum token create admin']);
  end if;

  -- change
  perform striatumd.revoke_client(p_call, v_client.client_id);

  -- reply
  return striatumd.decided(striatumd.client_shown(v_client.client_id)
    || jsonb_build_object('was_revoked', v_client.revoked_at is not null), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('daemon.token.revoke', 'Take a token back at once', 'admin', 'daemon_global', 'none', true,
  '{
  "type": "object", "additionalProperties": false, "required": ["client_id"],
  "properties": {
    "client_id": {"type": "string", "minLength": 1, "maxLength": 128,
                  "description": "Whose token"}}}',
  '{client_unknown, last_administrator}', '{token,revoke}', '{client_id}',
  '{client_id, display_name, revoked_at, was_revoked}',
  '{"striatum token revoke client_0123456789abcdef"}');
