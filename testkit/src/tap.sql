-- Beside pgTAP, in its schema: assertions that our tests share.

-- The statement is refused by this constraint, and by no other.
create function tap.refused(p_statement text, p_constraint text) returns text language plpgsql as $$
declare
  v_constraint text;
begin
  execute p_statement;
  return tap.fail('not refused: ' || p_constraint);
exception when integrity_constraint_violation then
  get stacked diagnostics v_constraint = constraint_name;
  return tap.is(v_constraint, p_constraint, 'refused: ' || p_constraint);
end
$$;

-- Schema trap: what a function finds that does not qualify its names, if trap is first on the path.
create function tap.set_trap() returns void language plpgsql as $$
begin
  create schema trap;
  create function trap.to_char(timestamp, text) returns text
    language sql as $sql$ select 'trapped' $sql$;
  create function trap.timezone(text, timestamptz) returns timestamp
    language sql as $sql$ select '1999-01-01'::timestamp $sql$;
  create function trap.concat(variadic "any") returns text language internal as 'text_concat';
  create function trap.octet_length(text) returns int language sql as 'select 7';
  create function trap.joined(int, text) returns text language sql as $sql$ select 'trapped' $sql$;
  create function trap.joined(text, text) returns text language sql as $sql$ select 'trapped' $sql$;
  create operator trap.|| (leftarg = int, rightarg = text, function = trap.joined);
  create operator trap.|| (leftarg = text, rightarg = text, function = trap.joined);
end
$$;
