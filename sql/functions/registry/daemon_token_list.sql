-- daemon.token.list: the clients that there are, without their secrets: whom a person can revoke.
create function striatumd.daemon_token_list(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_found jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select jsonb_agg(striatumd.client_shown(c.client_id) order by c.created_at, c.client_id)
    into v_found from striatumd.clients c
   where c.revoked_at is null or (p ->> 'revoked')::boolean;

  -- reply
  return striatumd.decided(jsonb_build_object('clients', coalesce(v_found, '[]')), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  error_codes, cli_path, cli_shows, examples)
values ('daemon.token.list', 'List the tokens that were given out, without their secrets', 'admin',
  'daemon_global', 'none', false, '{
  "type": "object", "additionalProperties": false,
  "properties": {
    "revoked": {"type": "boolean", "description": "Also those that were taken back"}}}',
  '{}', '{token,list}', '{client_id, display_name, grants, principal_id, session_id, created_at,
    expires_at, revoked_at}',
  '{"striatum token list", "striatum token list --revoked"}');
