-- A text as one word of a shell's line, so that a next step can be pasted whatever a name holds:
-- plain ones as they are, others in single quotes, those with control characters as $'...'. The
-- same as shell_word of crate contract.
create function striatumd.shell_word(p_text text) returns text
  language sql immutable parallel safe
as $$
  select case
    when p_text ~ '^[A-Za-z0-9_./:=,@%+-]+$' then p_text
    when p_text ~ '[\x01-\x1f\x7f]' then pg_catalog.concat('$''', (
      select pg_catalog.string_agg(case
               when c in ('\', '''') then pg_catalog.concat('\', c)
               when c = pg_catalog.chr(10) then '\n'
               when c = pg_catalog.chr(9) then '\t'
               when c ~ '[\x01-\x1f\x7f]' then
                 pg_catalog.concat('\x',
                   pg_catalog.lpad(pg_catalog.to_hex(pg_catalog.ascii(c)), 2, '0'))
               else c end, '' order by n)
        from pg_catalog.regexp_split_to_table(p_text, '') with ordinality as letters (c, n)), '''')
    else pg_catalog.concat('''', pg_catalog.replace(p_text, '''', '''\'''''), '''') end
$$;
