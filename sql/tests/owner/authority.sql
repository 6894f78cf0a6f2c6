-- The table of bundle V0003__authority: each state that may not be is refused by name.
begin;
select plan(19);

create function pg_temp.authority(p_change jsonb default '{}') returns text language sql as $$
  select tap.row_of('daemon_authority', jsonb_build_object('is_current', true,
    'instance_id', 'i-1', 'salt', repeat('s', 32)::bytea, 'digest', sha256('secret'),
    'boot_epoch', 1, 'bootstrapped_at', '2026-11-30T10:00:00Z'), p_change)
$$;

select is_empty('select * from striatumd.daemon_authority', 'after an installation nobody serves');
select tap.refused(pg_temp.authority('{"is_current": false}'),
  'daemon_authority_row_stands_for_itself');
select tap.refused(pg_temp.authority(jsonb_build_object('instance_id', word)),
  'daemon_authority_instance_id_is_a_word')
  from unnest(array['', '-a', 'a b', 'a/b', repeat('a', 65)]) as word;
select tap.refused(pg_temp.authority(jsonb_build_object('salt', repeat('s', 31)::bytea)),
  'daemon_authority_salt_is_long');
select tap.refused(pg_temp.authority(jsonb_build_object('digest', repeat('d', octets)::bytea)),
  'daemon_authority_digest_is_sha256') from unnest(array[0, 31, 33]) as octets;
select tap.refused(pg_temp.authority('{"boot_epoch": 0}'), 'daemon_authority_boot_epoch_counts');
select throws_ok(pg_temp.authority(jsonb_build_object(name, null)), '23502', null,
  'there is no authority without ' || name)
  from unnest(array['instance_id', 'salt', 'digest', 'boot_epoch', 'bootstrapped_at']) as name;

select lives_ok(pg_temp.authority(jsonb_build_object('instance_id', repeat('a', 64))),
  'a good row is taken');
select tap.refused(pg_temp.authority(), 'daemon_authority_is_one_row');

select * from finish();
rollback;
