-- doctor, effects: nothing that was ordered in the world was given up, or waits for long. An agent
-- that could not be started is no fault of the installation: its supervisor is lost, and the run
-- says so; nor is a branch that could not be made, once its run waits for it no longer.
create function striatumd.check_effects(p_at timestamptz) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('availability', 'effects', count(*) = 0, case
      when count(*) > 0 then format('%s effects are not done: %s', count(*),
        coalesce(min(problem), 'nobody tried yet'))
      else 'nothing that was ordered is left undone' end,
    jsonb_agg(effect_id order by planned_at, effect_id),
    array_agg(distinct case kind
      when 'scratch_present' then format('striatum repo add %s --init',
        striatumd.shell_word(args ->> 'root'))
      when 'branch_present' then format('striatum branch confirm %s --branch-name NAME',
        args ->> 'run_id')
      else 'striatum doctor' end))
    from striatumd.effects e
   where e.state = 'abandoned' and e.kind <> 'agent_running'
      and (e.kind <> 'branch_present' or exists (
           select from striatumd.runs r
            where r.run_id = e.args ->> 'run_id' and r.state = 'needs_branch_confirmation'))
      and not exists (
           select from striatumd.effects later
            where later.kind = e.kind and later.args = e.args and later.state = 'done'
              and later.planned_at > e.planned_at)
      or e.state in ('planned', 'failed') and e.planned_at < p_at - interval '1 minute'
$$;
