-- doctor, write_boundary: every durable table that there is is protected by the database itself.
create function striatumd.check_write_boundary() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('provenance', 'write_boundary', count(*) = 0, case
      when count(*) > 0 then 'what was recorded could be changed without a trace in these tables'
      else 'nobody but the owner''s functions writes what is recorded, and nobody changes it' end,
    jsonb_agg(name order by name), array['striatum db plan', 'striatum db apply'])
    from unnest(array['artifacts', 'audit_log', 'events']) as name
   where name not in (select t from striatumd.protected_tables() as t)
$$;
