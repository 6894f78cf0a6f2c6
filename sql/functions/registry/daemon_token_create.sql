-- daemon.token.create: makes a client with capabilities, in one repository or everywhere, perhaps
-- for one principal, perhaps bound to one session, and answers its token, once.
--
-- Keeps:   nobody grants what they do not hold themselves
-- Errors:  capability_scope_mismatch  the caller does not hold what is to be granted, there
--          repo_not_registered        there is no such active repository
--          principal_unknown          no such principal, and its kind was not given
--          principal_kind_differs     the principal is there, of another kind
--          schema_invalid             a session without its repository
-- Locks:   the repository's row, so that none is removed while something is granted for it; the
--          principal, so that two requests make one
create function striatumd.daemon_token_create(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_repository_id text := p ->> 'repository_id';
  v_capabilities  striatumd.capability[];
  v_expires_at    timestamptz := p_call.at + make_interval(secs => (p ->> 'expires_in_s')::bigint);
  v_client_id     text;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select array_agg(distinct value::striatumd.capability order by value::striatumd.capability)
    into v_capabilities from jsonb_array_elements_text(p -> 'capabilities');

  -- refuse
  perform striatumd.refuse_ungrantable(p_call.client_id, v_capabilities);
  perform from striatumd.repositories
   where repository_id = v_repository_id and state = 'active' for share;
  if v_repository_id is not null and not found then
    perform striatumd.refuse('repo_not_registered',
      format('there is no active repository %s', v_repository_id),
      jsonb_build_object('repository_id', v_repository_id), array['striatum repo list']);
  end if;
  if p ->> 'session_id' is not null and v_repository_id is null then
    perform striatumd.refuse('schema_invalid', 'a session belongs to a repository: which one?',
      '{"problems": [{"pointer": "/params/repository_id", "problem": "is missing"}]}',
      array['the same request with repository_id']);
  end if;

  -- change
  v_client_id := striatumd.new_client(p_call, coalesce(p ->> 'display_name', 'token'),
    v_expires_at, v_capabilities, v_repository_id);
  if p ->> 'session_id' is not null then
    insert into striatumd.client_sessions
    values (v_client_id, p ->> 'session_id', v_repository_id, p_call.at);
  end if;
  if p ->> 'principal_id' is not null then
    perform striatumd.link_principal(p_call, v_client_id, p ->> 'principal_id',
      p ->> 'principal_kind', p ->> 'principal_display_name');
  end if;

  -- reply
  return striatumd.decided(striatumd.client_shown(v_client_id), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  observers, error_codes, cli_path, cli_positionals, cli_shows, cli_note, examples)
values ('daemon.token.create', 'Make a token, and show it once', 'admin', 'daemon_global', 'none',
  true, '{
  "type": "object", "additionalProperties": false, "required": ["capabilities"],
  "dependentRequired": {"principal_kind": ["principal_id"],
                        "principal_display_name": ["principal_id"]},
  "properties": {
    "capabilities": {
      "type": "array", "minItems": 1, "maxItems": 8, "description": "What its holder may do",
      "items": {"enum": ["read", "write", "review", "claim", "apply", "admin", "recovery",
                         "surgical_recovery"]}},
    "repository_id": {"type": "string", "maxLength": 128,
      "description": "In this repository alone; everywhere where left out"},
    "display_name": {"type": "string", "minLength": 1, "maxLength": 200,
      "pattern": "^[^\\p{Cc}]+$", "description": "What the token is for"},
    "expires_in_s": {"type": "integer", "minimum": 1, "maximum": 315360000,
      "description": "Seconds until it expires; never where left out"},
    "session_id": {"type": "string", "pattern": "^sess_[0-9a-f]{16}$",
      "description": "Acts as this session alone"},
    "principal_id": {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$",
      "description": "Who holds it; made at the first use"},
    "principal_kind": {"enum": ["human", "ai_operator", "service"],
      "description": "Of a principal that is new"},
    "principal_display_name": {"type": "string", "minLength": 1, "maxLength": 200,
      "pattern": "^[^\\p{Cc}]+$", "description": "Of a principal that is new"}}}',
  '{minted_secret}',
  '{capability_scope_mismatch, repo_not_registered, schema_invalid, principal_unknown,
    principal_kind_differs}',
  '{token,create}', '{capabilities}',
  '{client_id, display_name, grants, principal_id, session_id, expires_at, token}',
  'the token is shown once: keep it in a file that only you can read (chmod 600)',
  '{"striatum token create read", "striatum token create read write --display-name laptop",
    "striatum token create admin --principal-id ada --principal-kind human"}');
