-- Why a job that is queued may not be begun in a lane beside what is worked on (`parallelism`), or
-- null where it may: `{reason, message, job_id}`, the last one a job that it waits for. As many
-- jobs are active as parallelism.max_active_jobs allows; in mode declared the lane is at work, and
-- no parallel_group has both; or its write scope overlaps that of a job at work.
--
-- Note:   a lane that is null is any; parallelism that is null has no limits
create function striatumd.held_back(p_job striatumd.jobs, p_lane_id text, p_parallelism jsonb)
  returns jsonb
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_mine   jsonb := striatumd.at_work(p_job, p_lane_id);
  v_active jsonb := p_parallelism -> 'active';
  v_most   numeric := (p_parallelism ->> 'max_active_jobs')::numeric;
  v_other  jsonb;
begin
  perform striatumd.assert_daemon_authority();
  if jsonb_array_length(v_active) >= v_most then
    return jsonb_build_object('reason', 'active_jobs_at_limit', 'message', format(
      '%s of at most %s jobs of the run are active (parallelism.max_active_jobs)',
      jsonb_array_length(v_active), v_most), 'job_id', v_active #> '{0,job_id}');
  end if;
  for v_other in select value from jsonb_array_elements(v_active) loop
    if p_parallelism ->> 'mode' = 'declared' and v_other ->> 'lane_id' = p_lane_id
       and (v_other ->> 'group' = v_mine ->> 'group') is not true then
      return jsonb_build_object('reason', 'lane_at_work', 'message', format(
        'lane %s is at work on %s, and no parallel_group has both jobs', p_lane_id,
        v_other ->> 'job'), 'job_id', v_other -> 'job_id');
    end if;
    if (p_parallelism ->> 'is_disjoint')::boolean
       and striatumd.scopes_overlap(v_mine -> 'scope', v_other -> 'scope') then
      return jsonb_build_object('reason', 'write_scope_in_use', 'message', format(
        '%s may write to the same paths, and is at work (parallelism.%s)', v_other ->> 'job',
        'require_disjoint_write_scopes'), 'job_id', v_other -> 'job_id');
    end if;
  end loop;
  return null;
end
$$;
