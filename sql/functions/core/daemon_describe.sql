-- daemon.describe: the methods that this client may see, with their parameters. A session's token
-- sees what is there for lanes.
--
-- Errors:  method_unknown  there is none of that name, or none that this client may see
create function striatumd.daemon_describe(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_methods jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select jsonb_agg(to_jsonb(m) - 'internal' order by m.method collate "C") into v_methods
    from striatumd.methods m
   where not m.internal and (m.lane or p_call.session_id is null)
     and m.method = coalesce(p ->> 'method', m.method);

  -- refuse
  if v_methods is null then
    perform striatumd.refuse('method_unknown', format('there is no method %s', p ->> 'method'),
      jsonb_build_object('method', p -> 'method'), array['striatum describe']);
  end if;

  -- reply
  return striatumd.decided(jsonb_build_object('methods_etag', striatumd.methods_etag(),
    'methods', v_methods), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('daemon.describe', 'Show the methods that this token may call', 'read', 'daemon_global',
  'none', false, true, '{
  "type": "object", "additionalProperties": false,
  "properties": {
    "method": {"type": "string", "maxLength": 128, "description": "This one alone"}}}',
  '{method_unknown}', '{describe}', '{method}',
  '{methods, method, capability, summary, params, examples}',
  '{"striatum describe", "striatum describe repo.add --json"}');
