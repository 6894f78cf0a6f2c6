-- Whether two write scopes have a place in common: a path that one of them allows, inside of what
-- the other one does.
create function striatumd.scopes_overlap(p_scope jsonb, p_other jsonb) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from (values (p_scope, p_other), (p_other, p_scope)) as each (one, two),
           jsonb_array_elements_text(coalesce(one -> 'allowed_paths', '[]')) as path
     where striatumd.in_scope(
             coalesce(nullif(rtrim(regexp_replace(path, '^(\./)+', ''), '/'), ''), '.'), two))
$$;
