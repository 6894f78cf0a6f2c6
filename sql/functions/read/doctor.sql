-- doctor: what the live installation proves about itself, on two planes, each with an ok of its
-- own: availability (can it serve) and provenance (does the record hold what it claims). Warnings
-- name an operator's work, and turn nothing red.
create function striatumd.doctor(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_host     jsonb := coalesce(p_call.observed -> 'daemon_host', '{}');
  v_most     bigint := case when (p ->> 'whole')::boolean then 9223372036854775806 else 10000 end;
  v_checks   jsonb;
  v_scope    text := striatumd.read_scope();
begin
  perform striatumd.assert_daemon_authority();

  -- read
  v_checks := jsonb_build_array(
    striatumd.check_server_settings(),
    striatumd.check_secret_exposure(),
    striatumd.check_effects(p_call.at),
    striatumd.check_tokens(p_call.at),
    striatumd.check_active_jobs(),
    striatumd.check_message_claims(),
    striatumd.check_terminal_runs(),
    striatumd.check_waiting_runs(),
    striatumd.check_audit_chain(v_most),
    striatumd.check_event_chains(v_most),
    striatumd.check_fold(),
    striatumd.check_run_folds(case when (p ->> 'whole')::boolean then v_most else 20 end),
    striatumd.check_live_functions(),
    striatumd.check_grant_drift(),
    striatumd.check_write_boundary(),
    striatumd.check_table_rules(),
    striatumd.check_runtime_role(),
    striatumd.check_installation_kind(),
    striatumd.check_lane_isolation(v_host),
    striatumd.check_reviewers());

  -- reply
  return striatumd.decided(jsonb_build_object(
    'ok', not jsonb_path_exists(v_checks, '$[*] ? (@.ok == false)'),
    'availability', striatumd.plane(v_checks, 'availability'),
    'provenance', striatumd.plane(v_checks, 'provenance'),
    'posture', jsonb_build_object('pg_write_boundary', striatumd.write_boundary(),
      'pg_read_scope', v_scope, 'private_read_denial', v_scope = 'door_only',
      'grant_drift', coalesce((select jsonb_agg(d order by d) from striatumd.grant_drift() as d),
        '[]'), 'lane_isolation', 'shared_user'),
    'substrate', jsonb_build_object('name', 'postgres',
      'version', current_setting('server_version'),
      'schema_version', (select max(version) from striatumd.owner_bundles),
      'functions_sha256', (select functions_sha256 from striatumd.installation)),
    'problems', (select coalesce(jsonb_agg(format('%s: %s', c ->> 'name', c ->> 'message')), '[]')
                   from jsonb_array_elements(v_checks) as c where c -> 'ok' = 'false'),
    'warnings', (select coalesce(jsonb_agg(format('%s: %s', c ->> 'name', c ->> 'message')), '[]')
                   from jsonb_array_elements(v_checks) as c where c -> 'is_warning' = 'true')),
    '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  observers, error_codes, cli_path, cli_shows, examples)
values ('doctor', 'Show what the installation proves about itself', 'read', 'daemon_global', 'none',
  false, '{
  "type": "object", "additionalProperties": false,
  "properties": {
    "whole": {"type": "boolean",
              "description": "Every row of the chains, not only the newest 10000 of each"}}}',
  '{daemon_host}', '{}', '{doctor}', '{ok, availability, provenance, checks, posture, warnings}',
  '{"striatum doctor", "striatum doctor --whole --json"}');
