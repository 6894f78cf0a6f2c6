-- effect.due: the effects that wait to be performed, the oldest first, 100 at most; and the instant
-- at which the next one after these is due.
create function striatumd.effect_due(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_due jsonb;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select jsonb_agg(jsonb_build_object('effect_id', e.effect_id, 'kind', e.kind, 'args', e.args,
           'attempt', e.attempts + 1, 'client_id', e.client_id, 'request_id', e.request_id)
           order by e.planned_at, e.effect_id)
    into v_due
    from (select * from striatumd.effects
           where state in ('planned', 'failed') and not_before <= p_call.at
           order by not_before limit 100) e;

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
