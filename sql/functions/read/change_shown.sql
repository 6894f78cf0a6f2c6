-- A change of an event in short: what it is of, and its state before and after; without a state,
-- the columns that changed. `name` stands for the id where there is one.
create function striatumd.change_shown(p_change jsonb, p_name text) returns text
  language sql immutable parallel safe
as $$
  select pg_catalog.concat_ws(' ', p_change ->> 'of', coalesce(p_name, p_change ->> 'id'), case
    when p_change #> '{to,state}' is not null
      then pg_catalog.concat_ws(' -> ', p_change #>> '{from,state}', p_change #>> '{to,state}')
    when coalesce(p_change -> 'from', 'null') = 'null' then 'is new'
    else (select pg_catalog.string_agg(pg_catalog.concat_ws(' ', key,
                   pg_catalog.concat_ws(' -> ', p_change -> 'from' ->> key, value)), ', '
                   order by key)
            from pg_catalog.jsonb_each_text(p_change -> 'to')) end)
$$;
