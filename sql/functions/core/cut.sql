-- A text's beginning, in so many octets of UTF-8 at most, never with half a character at its end.
create function striatumd.cut(p_text text, p_octets integer) returns text
  language plpgsql immutable parallel safe
as $$
declare
  v_text text := pg_catalog.left(p_text, p_octets);
begin
  while pg_catalog.octet_length(v_text) operator(pg_catalog.>) p_octets loop
    v_text := pg_catalog.left(v_text, -1);
  end loop;
  return v_text;
end
$$;
