-- Whether the command that was executed is the one that a workflow names. The program is executed
-- by its whole path: it is the named one, or ends in it after a slash; the arguments are the same.
create function striatumd.same_command(p_observed jsonb, p_command jsonb) returns boolean
  language plpgsql immutable parallel safe
as $$
declare
  v_program text := pg_catalog.jsonb_extract_path_text(p_command, '0');
  v_path    text := pg_catalog.jsonb_extract_path_text(p_observed, '0');
begin
  if v_program is null or v_path is null or p_observed - 0 <> p_command - 0 then
    return false;
  end if;
  return v_path = v_program or pg_catalog.right(v_path, pg_catalog.length(v_program) + 1)
    = pg_catalog.concat('/', v_program);
end
$$;
