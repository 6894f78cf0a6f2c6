-- An author line as it is compared and kept: the form of old for a label that an operator chose,
-- which title blocks may still have, in the form of today; every other as it was read.
create function striatumd.canonical_author_line(p_place text, p_line text) returns text
  language sql immutable parallel safe
as $$
  select case p_place when 'title_block' then pg_catalog.regexp_replace(p_line,
    '^author: operator \[self-declared: ([a-z0-9._-]{1,64})\]$',
    'author: operator-self-declared-\1') else p_line end
$$;
