-- effect.due: the effects that wait to be performed, of each target the oldest one alone, 100 at
-- most; and the instant at which the next one after these is due.
--
-- Keeps:  what is ordered of one target (the processes of a supervisor, else a repository) comes
--         in its order; one that failed and waits for its next attempt holds up nobody
create function striatumd.effect_due(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_due jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select jsonb_agg(jsonb_build_object('effect_id', effect_id, 'kind', kind, 'args', args,
           'target', target, 'attempt', attempts + 1, 'client_id', client_id,
           'request_id', request_id) order by planned_at, effect_id)
    into v_due
    from (select * from (
            select distinct on (target) *
              from striatumd.effects
             cross join lateral coalesce(args ->> 'supervisor_id', repository_id, effect_id)
                as target
             where state in ('planned', 'failed') and not_before <= p_call.at
             order by target, planned_at, effect_id) as oldest
           order by not_before, planned_at limit 100) as due;

  -- reply
  return striatumd.decided(jsonb_build_object('due', coalesce(v_due, '[]'),
    'next_in_ms', (select ceil(extract(epoch from min(not_before) - p_call.at) * 1000)
                     from striatumd.effects
                    where state in ('planned', 'failed') and not_before > p_call.at)), '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, internal,
  params, error_codes)
values ('effect.due', 'Lists the effects that wait to be performed', null, 'daemon_global', 'none',
  false, true, '{"type": "object", "additionalProperties": false, "properties": {}}', '{}');
