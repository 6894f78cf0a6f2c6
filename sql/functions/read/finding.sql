-- What a check of doctor found: on which plane, under which stable name, whether all is well, in
-- one sentence, which things are affected, and the commands that mend it.
create function striatumd.finding(p_plane text, p_name text, p_ok boolean, p_message text,
    p_affected jsonb, p_next text[])
  returns jsonb
  language sql immutable parallel safe
as $$
  select pg_catalog.jsonb_build_object('plane', p_plane, 'name', p_name, 'ok', p_ok,
    'message', p_message, 'affected', coalesce(p_affected, '[]'::jsonb),
    'next', case when p_ok then '[]'::jsonb else pg_catalog.to_jsonb(p_next) end)
$$;
