-- doctor, secret_exposure: no log and no printed plan of the server shows a bound value of the two
-- logins, and so the daemon's secret. What is set for a login in this database stands before what
-- is set for it everywhere.
create function striatumd.check_secret_exposure() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('availability', 'secret_exposure', count(*) = 0, case
      when count(*) > 0 then 'a verbose log of the server could show the daemon''s secret'
      else 'no log of the server shows a bound value' end,
    jsonb_agg(format('%s: %s', login, setting) order by login, setting),
    array['striatum db apply'])
    from unnest(array['striatum_bootstrap', 'striatumd_rw_' || current_database()]) as login
   cross join unnest(array['log_parameter_max_length=0', 'log_parameter_max_length_on_error=0',
                           'plan_cache_mode=force_generic_plan']) as setting
   where not exists (
     select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
      where r.rolname = login and s.setdatabase = 0 and setting = any (s.setconfig))
      or exists (
     select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
       join pg_database d on d.oid = s.setdatabase and d.datname = current_database(),
            unnest(s.setconfig) as other
      where r.rolname = login and other <> setting
        and starts_with(other, split_part(setting, '=', 1) || '='))
$$;
