-- Whether a run's branch may have this name: whether git can have a branch that is called so (git
-- check-ref-format --branch) and keep it in a file, 200 octets, and whether it is a name and not
-- the path of a reference.
create function striatumd.may_name_branch(p_name text) returns boolean
  language sql immutable parallel safe
as $$
  select p_name ~ '^[^[:cntrl:][:space:]~^:?*\[\\-][^[:cntrl:][:space:]~^:?*\[\\]{0,199}$'
     and p_name !~ '(^|/)\.|\.\.|//|^/|/$|\.$|\.lock(/|$)|@\{|^@$|^HEAD$|^refs/'
     and pg_catalog.octet_length(p_name) <= 200
$$;
