-- A text as one word of a shell's line, so that a next step can be pasted whatever a name holds:
-- plain ones as they are, others in single quotes, those with a line break or a tab as $'...'.
create function striatumd.shell_word(p_text text) returns text
  language sql immutable parallel safe
as $$
  select case
    when p_text ~ '^[A-Za-z0-9_./:=,@%+-]+$' then p_text
    when p_text ~ '[[:cntrl:]]' then pg_catalog.concat('$''',
      pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(
        p_text, chr(92), chr(92) || chr(92)), '''', chr(92) || ''''), chr(10), chr(92) || 'n'),
        chr(9), chr(92) || 't'), '''')
    else pg_catalog.concat('''', pg_catalog.replace(p_text, '''', '''\'''''), '''') end
$$;
