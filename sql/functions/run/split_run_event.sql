-- Events of one type of the run that a call acts on: as many as its changes need, since a payload
-- is bounded. `more` stands in the first of them.
create function striatumd.split_run_event(p_call striatumd.call_context, p_event_type text,
    p_reason text, p_changes jsonb, p_more jsonb default '{}')
  returns jsonb
  language sql immutable parallel safe
as $$
  select coalesce(pg_catalog.jsonb_agg(striatumd.run_event(p_call, p_event_type, p_reason,
           changes, '{}', case part when 0 then p_more else '{}' end) order by part), '[]')
    from (
      select part, pg_catalog.jsonb_agg(change order by n) as changes
        from (
          select change, n, (pg_catalog.sum(pg_catalog.octet_length(change::text))
                   over (order by n)) / 200000 as part
            from pg_catalog.jsonb_array_elements(p_changes) with ordinality as c (change, n)
          ) as measured
       group by part) as parts
$$;
