-- The hash over a request's parameters: sha256 of their text as jsonb, in lower-case hexadecimal.
-- Parameters that are missing count as {}.
create function striatumd.params_sha256(p_params jsonb) returns text
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(
    coalesce(p_params, '{}'::jsonb)::text, 'UTF8')), 'hex');
end
$$;
