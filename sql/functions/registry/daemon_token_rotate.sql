-- daemon.token.rotate: puts a new client in the place of another: same name, grants, session,
-- principal and end; the old token is revoked at once, the new one answered, once.
--
-- Keeps:   nobody gets by this what they do not hold themselves, but for their own token
-- Errors:  client_unknown             there is no such client
--          token_revoked              it was revoked before
--          capability_scope_mismatch  it holds what the caller does not
-- Locks:   the client's row
create function striatumd.daemon_token_rotate(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_old       striatumd.clients;
  v_client_id text;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  v_old := striatumd.locked_client(p ->> 'client_id');

  -- refuse
  if v_old.revoked_at is not null then
    perform striatumd.refuse('token_revoked',
      format('the token of %s was revoked', v_old.client_id),
      jsonb_build_object('client_id', v_old.client_id,
        'revoked_at', striatumd.utc_micros(v_old.revoked_at)),
      array['striatum token create CAPABILITY']);
  end if;

  if v_old.client_id <> p_call.client_id then
    perform striatumd.refuse_ungrantable(p_call.client_id, (
      select array_agg(distinct capability) from striatumd.client_capabilities
       where client_id = v_old.client_id and revoked_at is null));
  end if;

  -- change
  v_client_id := striatumd.new_client(p_call, v_old.display_name, case
    when v_old.expires_at > p_call.at then v_old.expires_at
    else p_call.at + (v_old.expires_at - v_old.created_at) end, '{}', null);
  insert into striatumd.client_capabilities (client_id, capability, repository_id, granted_at)
  select v_client_id, capability, repository_id, p_call.at from striatumd.client_capabilities
   where client_id = v_old.client_id and revoked_at is null;
  insert into striatumd.client_sessions
  select v_client_id, session_id, repository_id, p_call.at from striatumd.client_sessions
   where client_id = v_old.client_id;
  with moved as (
    update striatumd.principal_clients set unlinked_at = p_call.at
     where client_id = v_old.client_id and unlinked_at is null
    returning principal_id)
  insert into striatumd.principal_clients (principal_id, client_id, linked_at)
  select principal_id, v_client_id, p_call.at from moved;
  perform striatumd.revoke_client(p_call, v_old.client_id);

  -- reply
  return striatumd.decided(striatumd.client_shown(v_client_id)
    || jsonb_build_object('replaces', v_old.client_id), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  observers, error_codes, cli_path, cli_positionals, cli_shows, cli_note, examples)
values ('daemon.token.rotate', 'Put a new token in the place of another, and show it once', 'admin',
  'daemon_global', 'none', true, '{
  "type": "object", "additionalProperties": false, "required": ["client_id"],
  "properties": {
    "client_id": {"type": "string", "minLength": 1, "maxLength": 128,
                  "description": "Whose token"}}}',
  '{minted_secret}', '{client_unknown, token_revoked, capability_scope_mismatch}',
  '{token,rotate}', '{client_id}',
  '{client_id, replaces, display_name, grants, principal_id, session_id, expires_at, token}',
  'the token is shown once: keep it in a file that only you can read (chmod 600)',
  '{"striatum token rotate client_0123456789abcdef"}');
