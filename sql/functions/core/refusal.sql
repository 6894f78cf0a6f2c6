-- A refusal as a reply carries it: `{code, message, details, next}`.
create function striatumd.refusal(p_code text, p_message text, p_details jsonb, p_next text[])
  returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object('code', p_code, 'message', p_message,
    'details', p_details, 'next', pg_catalog.to_jsonb(p_next));
end
$$;
