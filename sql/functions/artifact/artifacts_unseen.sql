-- The decision to look again, where not everything that has to be there when a job ends was looked
-- at: another job ended meanwhile. Null where all was.
create function striatumd.artifacts_unseen(p_call striatumd.call_context, p_job_id text)
  returns striatumd.decision
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_paths jsonb := jsonb_path_query_array(striatumd.lost_artifacts(p_call, p_job_id),
    '$[*] ? (@.readback == "unseen").path');
begin
  perform striatumd.assert_daemon_authority();
  if v_paths = '[]' then
    return null;
  end if;
  return striatumd.unsettled('look', null, striatumd.refusal('observation_stale',
    'the last of the other jobs ended while the artifacts were looked at',
    jsonb_build_object('paths', v_paths), array['the same request again']));
end
$$;
