-- The hash of a chain's row, format 3: sha256 over the fields' canonical form, in lower-case
-- hexadecimal. A field is its octet count in UTF-8, a colon, its octets; null is '-1:'; nothing
-- stands between fields. Integers come as their decimal text. striatum_contract::hash is the same
-- in Rust; contract/vectors binds both.
--
-- Keeps:  needs a database in UTF-8, which the installer refuses to do without; holds no operator,
--         since a path of the caller's could put another one in its place
-- Note:   a loop over text is twice as fast as string_agg over unnest (docs/performance.md)
create function striatumd.hash_v3(variadic p_fields text[]) returns text
  language plpgsql immutable parallel safe
as $$
declare
  v_field text;
  v_form  text := '';
begin
  foreach v_field in array p_fields loop
    if v_field is null then
      v_form := pg_catalog.concat(v_form, '-1:');
    else
      v_form := pg_catalog.concat(v_form, pg_catalog.octet_length(v_field), ':', v_field);
    end if;
  end loop;
  return pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(v_form, 'UTF8')), 'hex');
end
$$;
