-- The first thing in which the events of a run and its tables differ, in words; null where all is
-- as the events tell. What the events say of each other comes first, in their order.
create function striatumd.run_fold_difference(p_run_id text) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  set jit to off
as $$
declare
  v_fold   jsonb := striatumd.fold_run(p_run_id);
  v_tabled jsonb := striatumd.run_as_tabled(p_run_id);
  v_first  jsonb := v_fold #> '{differences,0}';
begin
  if v_first is not null then
    return concat_ws(' ', 'event', v_first ->> 'event_id', 'changes', v_first ->> 'of',
      v_first ->> 'id', case when v_first ->> 'column' is null
        then 'as if it were new, or as if it were there'
        else format('%s from %s, and it was %s', v_first ->> 'column', v_first -> 'said',
          v_first -> 'known') end);
  end if;
  if v_fold -> 'state' = v_tabled then
    return null;
  end if;
  return (
    with told as (
      select k.key as kind, t.key as id, c.key as column, c.value
        from jsonb_each(v_fold -> 'state') k, jsonb_each(k.value) t, jsonb_each(t.value) c),
    tabled as (
      select k.key as kind, t.key as id, c.key as column, c.value
        from jsonb_each(v_tabled) k, jsonb_each(k.value) t, jsonb_each(t.value) c)
    select format('%s %s %s: the events tell %s, the table %s', kind, id, "column",
             coalesce(told.value::text, 'of none'), coalesce(tabled.value::text, 'has none'))
      from told full join tabled using (kind, id, "column")
     where told.value is distinct from tabled.value
     order by kind, id, "column" limit 1);
end
$$;
