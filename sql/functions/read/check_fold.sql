-- doctor, fold: the tables say what the events say. A repository of events that has no row is a
-- difference, too.
create function striatumd.check_fold() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('provenance', 'fold', count(*) filter (where differs) = 0, case
      when count(*) filter (where differs) > 0 then 'tables and events tell different things'
      else format('%s repositories are as their events tell', count(*)) end,
    jsonb_agg(repository_id order by repository_id) filter (where differs),
    array['striatum db export-chains DIR, and striatum-verify DIR'])
    from (select repository_id, r.root is null or striatumd.repository_folded(r)
                   is distinct from striatumd.fold_repository(repository_id) as differs
            from (select repository_id from striatumd.repositories
                  union select repository_id from striatumd.events) every
            left join striatumd.repositories r using (repository_id)) r
$$;
