-- effect.record: takes the outcome of an effect's attempt into the database.
--
-- Keeps:   an attempt is recorded once; a done or abandoned effect does not move
--          the budget is eight attempts, each waiting twice as long as the one before, from 1 s
-- Errors:  effect_not_due  no such effect waits for this attempt
-- Locks:   effect's repository; the effect's row
-- Events:  what effect_<kind>_recorded decides
create function striatumd.effect_record(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_effect   striatumd.effects;
  v_state    striatumd.effect_state;
  v_decision striatumd.decision;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  select * into v_effect from striatumd.effects
   where effect_id = p ->> 'effect_id' and state in ('planned', 'failed')
     and attempts + 1 = (p ->> 'attempt')::integer
     for update;

  -- refuse
  if not found then
    perform striatumd.refuse('effect_not_due', 'no such effect waits for this attempt',
      jsonb_build_object('effect_id', p -> 'effect_id', 'attempt', p -> 'attempt'),
      array['effect.due']);
  end if;

  -- change
  v_state := (case
    when (p ->> 'is_done')::boolean then 'done'
    when v_effect.attempts + 1 >= 8 or (p ->> 'is_hopeless')::boolean then 'abandoned'
    else 'failed' end)::striatumd.effect_state;
  update striatumd.effects
     set state = v_state, attempts = attempts + 1, problem = left(p ->> 'problem', 1000),
         not_before = p_call.at + make_interval(secs => power(2, attempts)),
         finished_at = case when v_state in ('done', 'abandoned') then p_call.at end
   where effect_id = v_effect.effect_id
  returning * into v_effect;

  -- reply
  v_decision := striatumd.dispatch('effect_' || v_effect.kind || '_recorded', p_call,
    to_jsonb(v_effect) || jsonb_build_object('seen', coalesce(p -> 'seen', '{}')));
  v_decision.data := v_decision.data || jsonb_build_object('effect_id', v_effect.effect_id,
    'state', v_state, 'not_before', striatumd.utc_micros(v_effect.not_before));
  return v_decision;
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, internal,
  params, error_codes)
values ('effect.record', 'Records the outcome of an effect', null, 'daemon_global', 'effect', true,
  true, '{
  "type": "object", "additionalProperties": false,
  "required": ["effect_id", "attempt", "is_done"],
  "properties": {
    "effect_id":   {"type": "string"},
    "attempt":     {"type": "integer", "minimum": 1, "maximum": 2147483647},
    "is_done":     {"type": "boolean"},
    "is_hopeless": {"type": "boolean"},
    "problem":     {"type": "string"},
    "seen":        {"type": "object", "additionalProperties": true}}}',
  '{effect_not_due}');
