-- Makes the caller the serving daemon: takes the serving lock for its session, puts the digest of
-- its secret in the place of the one before, gives the runtime login a new password and the
-- installation its next boot epoch. Only where the database holds what the caller carries,
-- `{bundles: [{version, name, checksum}], functions_sha256}`: else nothing is changed, so that a
-- parked daemon may look as often as it likes. The answer says the same of the database, so that
-- the daemon can tell what differs, and where it serves `{boot_epoch, has_clients}` as well.
--
-- Errors:  busy                    an installation holds the serving lock, and ends by itself
--          daemon_already_serving  another daemon holds the serving lock; nothing was changed
-- Locks:   serving (session); audit chain
-- Keeps:   a daemon that was superseded cannot append one more audit row: append_audit asks for
--          authority under the same lock
create function striatumd.bootstrap_instance(p_instance_id text, p_authority bytea,
    p_runtime_verifier text, p_carried jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
  set striatum.daemon_auth to ''
as $$
declare
  v_salt  bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  v_call  striatumd.call_context;
  v_epoch bigint;
  v_held  jsonb;
begin
  if coalesce(octet_length(p_authority), 0) < 32 then
    raise exception 'an authority is 32 octets at least';
  end if;

  -- lock
  if not pg_try_advisory_lock(hashtextextended('striatum:serving', 0)) then
    if not pg_try_advisory_xact_lock_shared(hashtextextended('striatum:install', 0)) then
      perform striatumd.refuse('busy', 'striatum is being installed into this database', '{}',
        array['striatum db status']);
    end if;
    perform striatumd.refuse('daemon_already_serving', 'another daemon serves from this database',
      '{}', array['striatum daemon status', 'striatum daemon shutdown']);
  end if;

  -- read
  v_held := jsonb_build_object(
    'functions_sha256', (select functions_sha256 from striatumd.installation),
    'bundles', (select jsonb_agg(jsonb_build_object('version', version, 'name', name,
                  'checksum', checksum) order by version) from striatumd.owner_bundles));
  if p_carried is distinct from v_held then
    return v_held;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('striatum:audit', 0));

  -- change
  insert into striatumd.daemon_authority as a
    (instance_id, salt, digest, boot_epoch, bootstrapped_at)
  values (p_instance_id, v_salt, sha256(p_authority || v_salt), 1, striatumd.now())
  on conflict (is_current) do update
     set instance_id = excluded.instance_id, salt = excluded.salt, digest = excluded.digest,
         boot_epoch = a.boot_epoch + 1, bootstrapped_at = excluded.bootstrapped_at
  returning boot_epoch into v_epoch;
  perform striatum_roles.set_runtime_password(p_runtime_verifier);

  -- reply
  perform set_config('striatum.daemon_auth', encode(p_authority, 'hex'), true);
  v_call.client_id := 'striatumd-' || p_instance_id;
  perform striatumd.append_audit(v_call, jsonb_build_object('method', 'bootstrap_instance',
    'transport', 'internal', 'params', jsonb_build_object('boot_epoch', v_epoch)), null);
  return v_held || jsonb_build_object('boot_epoch', v_epoch,
    'has_clients', exists (select from striatumd.clients));
end
$$;

grant execute on function striatumd.bootstrap_instance(text, bytea, text, jsonb)
  to striatum_bootstrap;
grant usage on schema striatumd to striatum_bootstrap;
