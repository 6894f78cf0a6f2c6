-- doctor, live_functions: the functions, and the methods and codes they go by, are as the last
-- apply left them. Whoever changes this one, or what was stored, changes what is said here;
-- striatum db plan asks with a text of its own.
create function striatumd.check_live_functions() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('provenance', 'live_functions', is_same, case
      when is_same then 'the functions and what is registered are as the last apply left them'
      else 'what the functions do, whose they are, who may run them or what is registered differs '
        'since the last apply' end, '[]', array['striatum db plan', 'striatum db apply'])
    from (select coalesce(functions_live_sha256 = striatumd.functions_live_sha256(), false)
                   as is_same
            from striatumd.installation) i
$$;
