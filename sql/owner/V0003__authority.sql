-- Which daemon may write: the one whose secret has this digest.

-- One row, overwritten by bootstrap_instance: a new daemon ends the authority of the one before.
create table striatumd.daemon_authority (
  is_current      boolean not null default true,
  instance_id     text not null,
  salt            bytea not null,
  digest          bytea not null,        -- sha256(secret || salt); a daemon's memory has the secret
  boot_epoch      bigint not null,       -- previous + 1 at every bootstrap
  bootstrapped_at timestamptz not null,
  constraint daemon_authority_is_one_row primary key (is_current),
  constraint daemon_authority_row_stands_for_itself check (is_current),
  constraint daemon_authority_instance_id_is_a_word
    check (instance_id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  constraint daemon_authority_salt_is_long check (octet_length(salt) >= 32),
  constraint daemon_authority_digest_is_sha256 check (octet_length(digest) = 32),
  constraint daemon_authority_boot_epoch_counts check (boot_epoch >= 1)
);
