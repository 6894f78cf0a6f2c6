-- work.packet_show: a packet as it was issued, word for word. A session sees its own.
--
-- Errors:  packet_not_found  there is none of that id, or it is another session's
create function striatumd.work_packet_show(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_packet striatumd.work_packets;
begin
  perform striatumd.assert_daemon_authority();
  select * into v_packet from striatumd.work_packets
   where packet_id = p ->> 'packet_id' and repository_id = p_call.repository_id
     and session_id = coalesce(p_call.session_id, session_id);
  if not found then
    perform striatumd.refuse('packet_not_found', 'there is no such packet here',
      jsonb_build_object('packet_id', p -> 'packet_id'), array['striatum claim-next']);
  end if;
  return striatumd.decided(jsonb_build_object('packet_id', v_packet.packet_id,
    'run_id', v_packet.run_id, 'session_id', v_packet.session_id, 'lease_id', v_packet.lease_id,
    'job_id', v_packet.job_id, 'attempt', v_packet.attempt,
    'issued_at', striatumd.utc_micros(v_packet.issued_at),
    'packet_sha256', v_packet.packet_sha256, 'packet_json', v_packet.packet_json), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, examples)
values ('work.packet_show', 'Show a packet as it was issued', 'read', 'single_repo', 'none', false,
  true, '{
  "type": "object", "additionalProperties": false, "required": ["packet_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; a session''s own where left out"},
    "packet_id":     {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The packet"}}}',
  '{packet_not_found}', '{work,packet-show}', '{packet_id}',
  '{"striatum work packet-show pkt_0123456789abcdef"}');
