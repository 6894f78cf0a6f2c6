-- doctor, table_rules: nothing runs at a write beside what the bundles made. A trigger or a rule of
-- somebody else could change a row before it is hashed, row security could hide one from a read,
-- and an event trigger runs with the rights of whoever applies.
create function striatumd.check_table_rules() returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with ours as (
    select oid, relname, relrowsecurity or relforcerowsecurity as is_filtered from pg_class
     where relnamespace = 'striatumd'::regnamespace and relkind in ('r', 'p', 'v')),
  beside (says) as (
    select format('trigger %s on %s', tgname, relname)
      from ours join pg_trigger on tgrelid = ours.oid
     where not tgisinternal
       and not (relname ~ '^((audit_log|events)(_[0-9]+)?|artifacts|verdicts|work_packets|'
                           'workflow_snapshots)$'
                and tgname in ('append_only', 'never_emptied')
                and tgfoid = 'striatumd.append_only()'::regprocedure)
       and not (relname = 'runs' and tgname = 'completion_is_written_once'
                and tgfoid = 'striatumd.completion_is_written_once()'::regprocedure)
    union all
    select format('rule %s on %s', rulename, relname)
      from ours join pg_rewrite on ev_class = ours.oid where rulename <> '_RETURN'
    union all
    select format('row security on %s', relname) from ours where is_filtered
    union all
    select format('event trigger %s', evtname) from pg_event_trigger e
     where not exists (                  -- an extension's comes and goes with the extension
       select from pg_depend
        where classid = 'pg_event_trigger'::regclass and objid = e.oid and deptype = 'e'))
  select striatumd.finding('provenance', 'table_rules', count(*) = 0, case
      when count(*) > 0 then 'what is written or read may be changed on its way by these'
      else 'nothing runs at a write beside what the owner''s bundles made' end,
    jsonb_agg(says order by says),
    array['psql: take away what is named, as its owner', 'striatum doctor']) from beside
$$;
