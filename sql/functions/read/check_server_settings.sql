-- doctor, server_settings: what is committed stays so after a crash of the machine.
create function striatumd.check_server_settings() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('availability', 'server_settings', count(*) = 0, case
      when count(*) > 0 then 'a crash of the machine can lose or tear what was acknowledged'
      else 'what is committed is on disk' end,
    jsonb_agg(format('%s = %s', name, setting) order by name),
    array_agg(format('alter system set %s = on; select pg_reload_conf();', name) order by name))
    from (select name, current_setting(name) as setting
            from unnest(array['fsync', 'full_page_writes', 'synchronous_commit']) as name) s
   where setting = 'off'
$$;
