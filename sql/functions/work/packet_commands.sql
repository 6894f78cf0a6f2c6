-- The calls that a session makes next under a lease, in their order, as whole command lines; the
-- token file is the session's own to name. Words in capitals are its to fill in.
create function striatumd.packet_commands(p_lease striatumd.leases, p_job striatumd.jobs)
  returns jsonb
  language plpgsql immutable parallel safe
as $$
declare
  v_lease      text := (p_lease).lease_id;
  v_commands   jsonb;
  v_path       text;
  v_is_finding boolean;
begin
  v_commands := pg_catalog.jsonb_build_array(
    pg_catalog.jsonb_build_object('method', 'work.ack', 'when', 'first',
      'command', pg_catalog.concat('striatum ack ', v_lease)),
    pg_catalog.jsonb_build_object('method', 'work.heartbeat',
      'when', 'before the lease expires, as often as the packet says',
      'command', pg_catalog.concat('striatum heartbeat ', v_lease)));
  for v_path, v_is_finding in        -- a verdict ends the job, so its finding comes last
    select e ->> 'path', (p_job).is_verdict and n = 1
      from pg_catalog.jsonb_array_elements(pg_catalog.jsonb_extract_path((p_job).spec,
             'expected_artifacts')) with ordinality as expected (e, n)
     order by (p_job).is_verdict and n = 1, n
  loop
    v_path := striatumd.shell_word(v_path);
    v_commands := pg_catalog.jsonb_concat(v_commands, pg_catalog.jsonb_build_array(
      case when v_is_finding
        then pg_catalog.jsonb_build_object('method', 'review.submit',
          'when', 'last, once the finding is written; this ends the job',
          'command', pg_catalog.concat_ws(' ', 'striatum submit-review', v_lease, v_path,
            'accept|accept_with_findings|needs_revision|reject', '--rationale TEXT'))
        else pg_catalog.jsonb_build_object('method', 'artifact.publish',
          'when', 'once the file is written',
          'command', pg_catalog.concat_ws(' ', 'striatum publish-artifact', v_lease, v_path))
      end));
  end loop;
  if (p_job).is_verdict and v_path is null then      -- a review that names no finding has one
    v_commands := pg_catalog.jsonb_concat(v_commands, pg_catalog.jsonb_build_array(
      pg_catalog.jsonb_build_object('method', 'review.submit',
        'when', 'last, once a finding is written within the write scope; this ends the job',
        'command', pg_catalog.concat_ws(' ', 'striatum submit-review', v_lease, 'PATH',
          'accept|accept_with_findings|needs_revision|reject', '--rationale TEXT'))));
  end if;
  if not (p_job).is_verdict then
    v_commands := pg_catalog.jsonb_concat(v_commands, pg_catalog.jsonb_build_array(
      pg_catalog.jsonb_build_object('method', 'work.complete',
        'when', 'last, once every required artifact is published',
        'command', pg_catalog.concat('striatum complete ', v_lease))));
  end if;
  return pg_catalog.jsonb_concat(v_commands, pg_catalog.jsonb_build_array(
    pg_catalog.jsonb_build_object('method', 'work.block',
      'when', 'instead, where something is in the way',
      'command', pg_catalog.concat('striatum block ', v_lease,
        ' --severity blocked|human_checkpoint --kind KIND --description TEXT')),
    pg_catalog.jsonb_build_object('method', 'work.release',
      'when', 'instead, where another session should do it',
      'command', pg_catalog.concat('striatum release ', v_lease, ' --reason TEXT'))));
end
$$;
