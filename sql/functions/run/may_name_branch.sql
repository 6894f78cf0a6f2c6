-- Whether git can have a branch of this name (git check-ref-format --branch).
create function striatumd.may_name_branch(p_name text) returns boolean
  language sql immutable parallel safe
as $$
  select p_name ~ '^[^[:cntrl:][:space:]~^:?*\[\\-][^[:cntrl:][:space:]~^:?*\[\\]{0,199}$'
     and p_name !~ '(^|/)\.|\.\.|//|^/|/$|\.$|\.lock(/|$)|@\{|^@$|^HEAD$'
$$;
