-- Stores the effects that a decision orders; the answer is their ids, in their order.
create function striatumd.plan_effects(p_call striatumd.call_context, p_effects jsonb)
  returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids jsonb;
begin
  perform striatumd.assert_daemon_authority();
  with planned as (
    insert into striatumd.effects
      (effect_id, kind, args, repository_id, client_id, request_id, state, attempts, not_before,
       planned_at)
    select striatumd.new_id('eff'), e ->> 'kind', e -> 'args',
           coalesce(e ->> 'repository_id', p_call.repository_id), p_call.client_id,
           p_call.request_id, 'planned', 0, p_call.at, p_call.at
      from jsonb_array_elements(p_effects) as e
    returning effect_id)
  select coalesce(jsonb_agg(effect_id), '[]') into v_ids from planned;
  return v_ids;
end
$$;
