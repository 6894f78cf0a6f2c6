-- doctor, stale_queue_message_claim: whatever was taken from the queue is held by somebody.
create function striatumd.check_message_claims() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('availability', 'stale_queue_message_claim', count(*) = 0, case
      when count(*) > 0 then format('%s messages of the queue are claimed, and their lease is over',
        count(*))
      else 'every message that is claimed is held by a lease' end,
    jsonb_agg(m.message_id order by m.message_number),
    array_agg(format('striatum why %s', m.message_id) order by m.message_number))
    from striatumd.queue_messages m join striatumd.runs r on r.run_id = m.run_id
   where r.finished_at is null and m.state = 'claimed'
     and not exists (
       select from striatumd.leases l where l.message_id = m.message_id and l.state = 'active')
$$;
