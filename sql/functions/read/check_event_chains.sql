-- doctor, event_chains: each event follows from the one before in its repository.
create function striatumd.check_event_chains(p_most bigint) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('provenance', 'event_chains', count(*) = 0, case
      when count(*) > 0 then 'event chains are broken'
      else (select format('the events of %s repositories follow one from another', count(*))
              from striatumd.repo_event_chain_heads) end,
    jsonb_agg(format('%s:%s', repository_id, event_id) order by repository_id, event_id),
    array['striatum db export-chains DIR, and striatum-verify DIR'])
    from striatumd.event_breaks(p_most)
$$;
