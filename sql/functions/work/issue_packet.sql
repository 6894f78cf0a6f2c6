-- Writes down what a session is told under a lease: the packet, as the text that its hash is of.
create function striatumd.issue_packet(p_call striatumd.call_context, p_lease striatumd.leases)
  returns striatumd.work_packets
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_packet_id text := striatumd.new_id('pkt');
  v_text      text;
  v_packet    striatumd.work_packets;
begin
  perform striatumd.assert_daemon_authority();
  v_text := striatumd.packet(p_lease, v_packet_id)::text;
  insert into striatumd.work_packets (packet_id, repository_id, run_id, session_id, message_id,
    lease_id, job_id, attempt, packet_json, packet_sha256, issued_at)
  values (v_packet_id, p_lease.repository_id, p_lease.run_id, p_lease.session_id,
    p_lease.message_id, p_lease.lease_id, p_lease.job_id, p_lease.attempt, v_text,
    encode(sha256(convert_to(v_text, 'UTF8')), 'hex'), p_call.at) returning * into v_packet;
  return v_packet;
end
$$;
