-- Holds whoever calls to the secret of the serving daemon: raises 28000 unless the setting
-- striatum.daemon_auth holds it, in hexadecimal. Whatever the digest, an empty
-- setting is no secret.
create function striatumd.assert_daemon_authority() returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from striatumd.daemon_authority
     where digest = sha256(
       decode(nullif(current_setting('striatum.daemon_auth', true), ''), 'hex') || salt)
  ) then
    raise exception using errcode = '28000', message = 'daemon_authority_missing';
  end if;
end
$$;
