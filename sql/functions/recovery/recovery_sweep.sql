-- recovery.sweep: looks over a run for work whose session has ended, as the daemon does by itself,
-- and says what still waits for somebody.
--
-- Locks:   run
-- Events:  what sweep_run says
create function striatumd.recovery_sweep(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_events jsonb;
begin
  perform striatumd.assert_daemon_authority();
  v_events := striatumd.sweep_run(p_call);
  return striatumd.decided(jsonb_build_object('run_id', p_call.run_id,
    'swept_at', striatumd.utc_micros(p_call.at),
    'run_state', (select state from striatumd.runs where run_id = p_call.run_id),
    'actions', (select coalesce(jsonb_agg(jsonb_build_object('event_type', e ->> 'event_type',
                         'job_id', e -> 'job_id')), '[]') from jsonb_array_elements(v_events) as e),
    'still_stuck', (
      select coalesce(jsonb_agg(jsonb_build_object('job_id', b.job_id, 'blocker_id', b.blocker_id,
               'kind', b.kind) order by b.opened_at, b.blocker_id), '[]')
        from striatumd.blockers b where b.run_id = p_call.run_id and b.state = 'open')),
    v_events, '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('recovery.sweep', 'Look over a run for work whose agent is gone', 'recovery',
  'single_repo', 'run', true, '{
  "type": "object", "additionalProperties": false, "required": ["repository_id", "run_id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
      "description": "The repository; that of the working directory"},
    "run_id": {"type": "string", "minLength": 1, "maxLength": 128, "description": "Which run"}}}',
  '{}', '{recovery,sweep}', '{run_id}', '{run_id, run_state, actions, still_stuck}',
  '{"striatum recovery sweep run_0123456789abcdef"}');
