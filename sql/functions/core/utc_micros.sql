-- An instant as it stands in JSON: UTC, always six digits of the second,
-- 2026-11-30T00:00:00.000000Z. Null for null and for the infinities.
create function striatumd.utc_micros(p_at timestamptz) returns text
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
end
$$;
