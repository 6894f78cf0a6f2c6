-- The line by which a session signs what it writes: `author: <role>-<model>-<ordinal>` where its
-- lane is attested, the model being the one that the lane declares (the lane's name where it
-- declares none); else the operator's, with the label that the session was registered with.
create function striatumd.author_line(p_session_id text, p_is_attested boolean) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_session striatumd.sessions;
  v_lane    jsonb;
  v_name    text;
begin
  perform striatumd.assert_daemon_authority();
  select * into strict v_session from striatumd.sessions where session_id = p_session_id;
  if not p_is_attested then
    return 'author: operator' || coalesce('-self-declared-' || v_session.operator_label, '');
  end if;
  select heading #> array['lanes', v_session.lane_id] into v_lane
    from striatumd.workflow_snapshots where run_id = v_session.run_id;
  v_name := lower(concat_ws('-', v_session.role_id,
    coalesce(v_lane ->> 'model', v_lane ->> 'display_model', v_session.lane_id)));
  v_name := trim('-' from regexp_replace(v_name, '[^a-z0-9._]+', '-', 'g'));
  return format('author: %s-%s', left(v_name, 160),
    lpad(v_session.ordinal::text, greatest(3, length(v_session.ordinal::text)), '0'));
end
$$;
