-- What may be done about an open blocker, as the commands that do it: where an agent died at its
-- work, the queue once more; else another try, acceptance in the place of a verdict or gate that
-- stands in the way, or an end of the work.
create function striatumd.resolve_actions(p striatumd.blockers) returns jsonb
  language sql immutable parallel safe
as $$
  select coalesce(pg_catalog.jsonb_agg(command order by n), '[]')
    from (
      select n, pg_catalog.format('striatum checkpoint resolve %s %s --reason TEXT',
               (p).blocker_id, choice) as command
        from pg_catalog.unnest(array['continue', 'override', 'cancel'])
          with ordinality as c (choice, n)
       where (p).kind not in ('lease_owner_gone', 'recovery_exhausted')
         and (choice <> 'override' or (p).job_id is null
              or (p).kind in ('revision_routing', 'review_rejected'))
       union all
      select 1, pg_catalog.format('striatum recovery requeue-stale %s%s --reason TEXT', (p).job_id,
               case (p).kind when 'lease_owner_gone' then ' --force' else '' end)
       where (p).kind in ('lease_owner_gone', 'recovery_exhausted')) as each
   where (p).state = 'open'
$$;
