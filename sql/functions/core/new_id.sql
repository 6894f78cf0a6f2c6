-- A new identifier: the prefix, an underscore, 16 lower-case hexadecimal digits.
--
-- Keeps:  no order can be read from it. Of the last 16 digits of a version 4 UUID 62 bits are
--         random; its first 16 would carry the version digit, and 60 bits.
create function striatumd.new_id(p_prefix text) returns text
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return p_prefix || '_' || right(replace(gen_random_uuid()::text, '-', ''), 16);
end
$$;
