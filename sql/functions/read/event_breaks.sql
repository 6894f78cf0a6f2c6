-- The events that do not follow from the event before in their repository, as repository and
-- number. Looked at are the newest p_most events of each; the one before them lends its number and
-- its hash.
create function striatumd.event_breaks(p_most bigint)
  returns table (repository_id text, event_id bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select repository_id, event_id from (
    select e.*, h.event_id - p_most as after_id, lag(e.event_id, 1, 0::bigint) over w as id_before,
           lag(e.row_hash) over w as hash_before
      from striatumd.repo_event_chain_heads h
      join striatumd.events e
        on e.repository_id = h.repository_id and e.event_id >= h.event_id - p_most
    window w as (partition by e.repository_id order by e.segment_id, e.event_id)) e
   where event_id > after_id
     and (event_id <> id_before + 1 or previous_hash is distinct from hash_before
          or row_hash <> striatumd.hash_v3(previous_hash, repository_id, event_id::text, run_id,
               event_type, actor_session_id, job_id, message_id, artifact_id, lease_id,
               payload_json, striatumd.utc_seconds(created_at)))
$$;
