-- doctor, grant_drift: the runtime login holds the door and nothing else.
create function striatumd.check_grant_drift() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('provenance', 'grant_drift', count(*) = 0, case
      when count(*) > 0 then 'the runtime login holds what it should not'
      else 'the runtime login holds the door and nothing else' end,
    jsonb_agg(privilege order by privilege), array['striatum db plan', 'striatum db apply'])
    from striatumd.grant_drift() as privilege
$$;
