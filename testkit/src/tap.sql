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
