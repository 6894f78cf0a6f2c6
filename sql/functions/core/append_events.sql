-- Appends a decision's events to the chains of their repositories. Only the door calls this, after
-- the method returned.
--
-- Locks:  the event chain of each repository, in the order of their ids
-- Keeps:  an event's id is the one before plus one, and it carries the hash of the one before
create function striatumd.append_events(p_events jsonb) returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_segment    constant bigint := 1;     -- others come with the closing of segments
  v_repository text;
  v_event      jsonb;
  v_chain      text;                     -- whose event is the last one here
  v_id         bigint;
  v_last       text;
  v_hash       text;
  v_payload    text;
  v_at         timestamptz;
begin
  perform striatumd.assert_daemon_authority();
  for v_repository, v_event in
    select e.value ->> 'repository_id', e.value
      from jsonb_array_elements(p_events) with ordinality as e (value, n)
     order by e.value ->> 'repository_id' collate "C", n
  loop
    if v_repository is null then
      raise exception 'an event without a repository: %', v_event ->> 'event_type';
    end if;
    if v_repository is distinct from v_chain then
      perform pg_advisory_xact_lock(hashtextextended('striatum:events:' || v_repository, 0));
      select event_id, row_hash into v_id, v_last from striatumd.events
       where segment_id = v_segment and repository_id = v_repository
       order by event_id desc limit 1;
      v_chain := v_repository;
    end if;
    v_id := coalesce(v_id, 0) + 1;
    v_payload := (v_event -> 'payload')::text;
    v_at := striatumd.now();
    v_hash := striatumd.hash_v3(v_last, v_repository, v_id::text, v_event ->> 'run_id',
      v_event ->> 'event_type', v_event ->> 'actor_session_id', v_event ->> 'job_id',
      v_event ->> 'message_id', v_event ->> 'artifact_id', v_event ->> 'lease_id', v_payload,
      striatumd.utc_seconds(v_at));
    insert into striatumd.events values (
      v_segment, v_repository, v_id, v_event ->> 'run_id', v_event ->> 'event_type',
      v_event ->> 'actor_session_id', v_event ->> 'job_id', v_event ->> 'message_id',
      v_event ->> 'artifact_id', v_event ->> 'lease_id', v_payload, date_trunc('second', v_at),
      v_at, v_last, v_hash);
    v_last := v_hash;
  end loop;
end
$$;
