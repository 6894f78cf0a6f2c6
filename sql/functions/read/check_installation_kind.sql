-- doctor, installation_kind: whether the installation is marked as a test, whose clock can be
-- stopped by a setting. That is nothing broken, and nothing to rely on: a warning.
create function striatumd.check_installation_kind() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('provenance', 'installation_kind', true, case
      when kind = 'test' then
        'a test installation: a setting stops its clock, so no time proves anything'
      else 'time comes from the clock of the database alone' end, '[]', null)
    || jsonb_build_object('is_warning', kind = 'test')
    from striatumd.installation
$$;
