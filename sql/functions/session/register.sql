-- session.register: a place for one agent in a run, with a role and a lane of its workflow.
--
-- Keeps:   a reviewer that has to be fresh is not registered beside an author who still works,
--          unless somebody says why; the reason stays with the session
--          a label does not look like what attests a lane
-- Errors:  invalid_transition       the run has ended
--          role_not_found, lane_not_found  the workflow has none of that name
--          session_not_fresh        an author of the run is active
--          operator_label_reserved  the label could be taken for an attested line, or a lane
-- Events:  session.registered
create function striatumd.session_register(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_role      text := p ->> 'role_id';
  v_lane      text := p ->> 'lane_id';
  v_label     text := p ->> 'operator_label';
  v_is_forced boolean := coalesce((p ->> 'force_non_fresh')::boolean, false);
  v_workflow  jsonb;
  v_state     striatumd.run_state;
  v_author    text;
  v_session   striatumd.sessions;
begin
  perform striatumd.assert_daemon_authority();

  -- read
  select r.state, s.heading into v_state, v_workflow
    from striatumd.runs r join striatumd.workflow_snapshots s using (run_id)
   where r.run_id = p_call.run_id;

  -- refuse
  if v_state in ('completed', 'failed', 'canceled', 'compromised') then
    perform striatumd.refuse('invalid_transition',
      format('the run is %s, and takes no session any more', v_state),
      jsonb_build_object('run_id', p_call.run_id, 'state', v_state), array['striatum list runs']);
  end if;
  if not coalesce(v_workflow -> 'roles' ? v_role, false) then
    perform striatumd.refuse('role_not_found', 'the workflow has no such role',
      jsonb_build_object('role_id', v_role, 'roles',
        (select jsonb_agg(key order by key) from jsonb_object_keys(v_workflow -> 'roles') as key)),
      array['striatum session register RUN_ID ROLE_ID LANE_ID']);
  end if;
  if not coalesce(v_workflow -> 'lanes' ? v_lane, false) then
    perform striatumd.refuse('lane_not_found', 'the workflow has no such lane',
      jsonb_build_object('lane_id', v_lane, 'lanes',
        (select jsonb_agg(key order by key) from jsonb_object_keys(v_workflow -> 'lanes') as key)),
      array['striatum session register RUN_ID ROLE_ID LANE_ID']);
  end if;
  if v_label ~ '^(operator|author|(un|lane[-_.]?)?attested|unknown|missing)([-_.].*)?$'
     or v_workflow -> 'lanes' ? v_label or v_workflow -> 'roles' ? v_label or exists (
       select from jsonb_object_keys(v_workflow -> 'roles') as role
        where starts_with(v_label, lower(role) || '-') and v_label ~ '-[0-9]+$') then
    perform striatumd.refuse('operator_label_reserved',
      'the label could be taken for an attested line, or for a lane or role',
      jsonb_build_object('operator_label', v_label), array['the same request with another label']);
  end if;
  if not v_is_forced and exists (
       select from striatumd.jobs
        where run_id = p_call.run_id and role_id = v_role and is_fresh
          and (lane_id is null or lane_id = v_lane)) then
    select s.session_id into v_author from striatumd.sessions s
     where s.run_id = p_call.run_id and s.state = 'active' and exists (
             select from striatumd.jobs j
              where j.run_id = s.run_id and j.role_id = s.role_id and not j.is_verdict
                and (j.lane_id is null or j.lane_id = s.lane_id))
     order by s.registered_at, s.session_id limit 1;
  end if;
  if v_author is not null then
    perform striatumd.refuse('session_not_fresh',
      'an author of the run is active, so that the reviewer would not be fresh',
      jsonb_build_object('author_session_id', v_author),
      array[format('striatum session close %s --reason TEXT', v_author),
            'the same request with --force-non-fresh --reason TEXT']);
  end if;

  -- change
  insert into striatumd.sessions (session_id, repository_id, run_id, role_id, lane_id, ordinal,
    state, operator_label, non_fresh_reason, registered_by, registered_at)
  select striatumd.new_id('sess'), p_call.repository_id, p_call.run_id, v_role, v_lane,
         coalesce(max(ordinal), 0) + 1, 'active', v_label,
         case when v_is_forced then p ->> 'reason' end, p_call.client_id, p_call.at
    from striatumd.sessions
   where run_id = p_call.run_id and role_id = v_role and lane_id = v_lane
  returning * into v_session;
  perform striatumd.touch_session(p_call, v_session.session_id);

  -- reply
  return striatumd.decided(striatumd.session_shown(v_session),
    jsonb_build_array(striatumd.run_event(p_call, 'session.registered', p ->> 'reason',
      jsonb_build_array(striatumd.change('session', v_session.session_id, null,
        striatumd.session_folded(v_session))))), '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, params,
  error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('session.register', 'Register a session of a role and lane', 'write', 'single_repo', 'run',
  true, '{
  "type": "object", "additionalProperties": false,
  "required": ["repository_id", "run_id", "role_id", "lane_id"],
  "dependentRequired": {"force_non_fresh": ["reason"]},
  "properties": {
    "repository_id":   {"type": "string", "minLength": 1, "maxLength": 128,
                        "description": "The repository; that of the working directory"},
    "run_id":          {"type": "string", "minLength": 1, "maxLength": 128,
                        "description": "The run, as list runs shows it"},
    "role_id":         {"type": "string", "minLength": 1, "maxLength": 128,
                        "description": "A role of its workflow"},
    "lane_id":         {"type": "string", "minLength": 1, "maxLength": 128,
                        "description": "A lane of its workflow"},
    "operator_label":  {"type": "string", "pattern": "^[a-z0-9._-]{1,64}$",
                        "description": "With which it signs where its lane is not attested"},
    "force_non_fresh": {"type": "boolean",
                        "description": "A reviewer, although an author is active"},
    "reason":          {"type": "string", "minLength": 1, "maxLength": 200,
                        "pattern": "^[^\\p{Cc}]+$", "description": "Why, for the record"}}}',
  '{invalid_transition, role_not_found, lane_not_found, session_not_fresh,
    operator_label_reserved}',
  '{session,register}', '{run_id, role_id, lane_id}',
  '{session_id, slug, run_id, role_id, lane_id, state}',
  '{"striatum session register run_0123456789abcdef author author",
    "striatum session register run_0123456789abcdef critic r1 --force-non-fresh --reason why"}');
