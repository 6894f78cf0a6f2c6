-- daemon.hello: the first request on every connection: what both sides speak.
--
-- Errors:  version_incompatible  no envelope or no framing that both know
create function striatumd.daemon_hello(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_authority striatumd.daemon_authority;
begin
  perform striatumd.assert_daemon_authority();

  -- refuse
  if not coalesce(p #> '{client,supported_envelope}' @> '[1]'
                  and p #> '{client,supported_framings}' @> '["json"]', false) then
    perform striatumd.refuse('version_incompatible',
      'this daemon speaks envelope 1 in framing json, and the client does not',
      '{"daemon_supported_envelope": [1], "daemon_supported_framings": ["json"]}',
      array['the same request from a client of this daemon''s version']);
  end if;

  -- reply
  select * into strict v_authority from striatumd.daemon_authority;
  return striatumd.decided(jsonb_build_object(
    'daemon_version', p_call.observed #> '{daemon,version}', 'envelope', 1, 'framing', 'json',
    'substrate', 'postgres',
    'substrate_schema', (select max(version) from striatumd.owner_bundles),
    'methods_etag', striatumd.methods_etag(), 'instance_id', v_authority.instance_id,
    'boot_epoch', v_authority.boot_epoch::text), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes)
values ('daemon.hello', 'Agree on the envelope and the framing', null, 'daemon_global', 'none',
  false, true, '{
  "type": "object", "additionalProperties": false, "required": ["client"],
  "properties": {
    "client": {
      "type": "object", "additionalProperties": false,
      "required": ["supported_envelope", "supported_framings"],
      "description": "Who asks, and what it speaks",
      "properties": {
        "name":    {"type": "string", "maxLength": 100, "description": "The program"},
        "version": {"type": "string", "maxLength": 100, "description": "Its version"},
        "supported_envelope": {"type": "array", "maxItems": 20,
          "description": "Versions of the envelope",
          "items": {"type": "integer", "minimum": 0, "maximum": 2147483647}},
        "supported_framings": {"type": "array", "maxItems": 20,
          "description": "How messages are cut",
          "items": {"type": "string", "maxLength": 100}}}}}}',
  '{version_incompatible}');
