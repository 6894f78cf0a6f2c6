-- The first step of every call: time limits, labels, and the daemon's authority.
--
-- Keeps:  a lock is waited for 1.5 s at most, less where the caller's time ends earlier; that is
--         more than deadlock_timeout, so that a deadlock is told from a long wait
--         a call commits without waiting for the disk, unless it says is_durable: the daemon holds
--         answers back until a flush that began after them (docs/decisions/0001-acknowledgement.md)
--         no call runs under another isolation than READ COMMITTED: elsewhere the snapshot would
--         be older than the locks
create function striatumd.prelude(p_authority bytea, p_request jsonb) returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform set_config('striatum.daemon_auth', encode(p_authority, 'hex'), true),
          set_config('lock_timeout',
            greatest(1, least(1500, (p_request ->> 'deadline_ms')::bigint))::text, true),
          set_config('synchronous_commit',
            case when p_request -> 'is_durable' = 'true' then 'on' else 'off' end, true),
          set_config('striatum.rpc_id', coalesce(left(p_request ->> 'request_id', 128), ''), true),
          set_config('striatum.principal_id', '', true),
          set_config('app.session_id', '', true);
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception using errcode = '25001',
      message = 'the door answers under READ COMMITTED alone';
  end if;
  perform striatumd.assert_daemon_authority();
end
$$;
