-- Takes what a method's lock class says, until the end of the transaction; and for a method that
-- changes the lock under which its client is still one: shared, while whoever takes its token back
-- has it alone.
--
-- Locks:  client (shared); repository, shared where a run is locked; run
-- Keeps:  a key is never null, since a null would lock nothing; only an effect of no repository, or
--         one that there is not, leaves nothing to lock here
create function striatumd.take_locks(p_call striatumd.call_context, p_method striatumd.methods)
  returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  if p_method.changes and not p_method.internal then
    perform pg_advisory_xact_lock_shared(
      hashtextextended('striatum:client:' || p_call.client_id, 0));
  end if;
  if p_method.lock_class = 'none'
     or p_method.lock_class = 'effect' and p_call.repository_id is null then
    return;
  end if;
  if p_call.repository_id is null then
    raise exception 'lock class % of % without a repository', p_method.lock_class, p_method.method;
  end if;
  if p_method.lock_class in ('repository', 'effect', 'repository_run') then
    perform pg_advisory_xact_lock(
      hashtextextended('striatum:repository:' || p_call.repository_id, 0));
  else
    perform pg_advisory_xact_lock_shared(
      hashtextextended('striatum:repository:' || p_call.repository_id, 0));
  end if;
  if p_method.lock_class in ('repository', 'effect') then
    return;
  end if;
  if p_call.run_id is null then
    raise exception 'lock class % of % without a run', p_method.lock_class, p_method.method;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(
    concat_ws(':', 'striatum:run', p_call.repository_id, p_call.run_id), 0));
end
$$;
