-- Refuses by design, from within a method: rolls the method's writes back and reaches the caller as
-- an error. Raises ST001; the message is the code, the detail the rest as JSON.
create function striatumd.refuse(p_code text, p_message text, p_details jsonb, p_next text[])
  returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using errcode = 'ST001', message = p_code,
    detail = striatumd.refusal(p_code, p_message, p_details, p_next)::text;
end
$$;
