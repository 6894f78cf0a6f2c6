-- doctor, run_fold: every run under way, and the newest that ended, is as its events tell; and the
-- events tell of no run that there is not.
create function striatumd.check_run_folds(p_ended bigint) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with looked_at as (
    select run_id::text from striatumd.runs where finished_at is null
     union all
    (select run_id from striatumd.runs where finished_at is not null
      order by finished_at desc, run_id limit p_ended)
     union all
    select distinct e.run_id from striatumd.events e
     where e.run_id is not null
       and not exists (select from striatumd.runs r where r.run_id = e.run_id)),
  compared as materialized (
    select run_id, striatumd.run_fold_difference(run_id) as difference from looked_at)
  select striatumd.finding('provenance', 'run_fold', count(difference) = 0, case
      when count(difference) > 0 then format('%s runs differ from what their events tell; %s',
        count(difference), min(format('%s: %s', run_id, difference) collate "C")
          filter (where difference is not null))
      else format('%s runs are as their events tell', count(*)) end,
    jsonb_agg(run_id order by run_id collate "C") filter (where difference is not null),
    array['striatum db export-chains DIR, and striatum-verify DIR'])
    from compared
$$;
