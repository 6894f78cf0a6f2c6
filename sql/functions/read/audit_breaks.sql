-- The audit rows that do not follow from the row before: a number left out, another previous hash,
-- or a hash that is not the one of the row. Looked at are the newest p_most rows; the row before
-- them lends its number and its hash.
create function striatumd.audit_breaks(p_most bigint) returns setof bigint
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with looked_at as (select audit_id - p_most as after_id from striatumd.audit_chain_head)
  select audit_id from (
    select a.*, after_id, lag(audit_id, 1, 0::bigint) over w as id_before,
           lag(row_hash) over w as hash_before
      from striatumd.audit_log a, looked_at
     where audit_id >= after_id
    window w as (order by segment_id, audit_id)) a
   where audit_id > after_id
     and (audit_id <> id_before + 1 or previous_hash is distinct from hash_before
          or row_hash <> striatumd.hash_v3(striatumd.utc_seconds(ts), schema_version::text,
               hash_format_version::text, daemon_version, client_id, repository_id, method,
               decision::text, denial_reason, transport::text, request_id, exit_code::text,
               params_sha256, previous_hash, segment_id::text))
$$;
