-- why: what an id names, how it stands, what it waits for, and what to do next. The name of a job
-- or session will do where one alone has it, as ids_named looks for it.
--
-- Errors: id_unknown  it names nothing in the repository, or nothing of the session's own run, or
--                     it is a name that more than one have
create function striatumd.why(p_call striatumd.call_context, p jsonb)
  returns striatumd.decision
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_thing jsonb;
  v_why   jsonb;
  v_named text[];
begin
  perform striatumd.assert_daemon_authority();

  -- read
  v_thing := striatumd.thing_found(p_call.repository_id, p ->> 'id');
  if v_thing is null then
    v_named := striatumd.ids_named(p_call.repository_id, p ->> 'id');
    v_thing := case cardinality(v_named) when 1
      then striatumd.thing_found(p_call.repository_id, v_named[1]) end;
  end if;

  -- refuse
  if cardinality(v_named) > 1 and p_call.session_id is null then
    perform striatumd.refuse('id_unknown',
      format('%s is the name of %s here', p ->> 'id', cardinality(v_named)),
      jsonb_build_object('id', p -> 'id', 'ids', v_named),
      array(select 'striatum why ' || id from unnest(v_named[:5]) as id));
  end if;
  if v_thing is null or p_call.session_id is not null and not exists (
       select from striatumd.sessions
        where session_id = p_call.session_id and run_id = v_thing ->> 'run_id') then
    perform striatumd.refuse('id_unknown', format('%s names nothing here', p ->> 'id'),
      jsonb_build_object('id', p -> 'id'), array['striatum status', 'striatum list runs']);
  end if;

  -- reply
  v_why := case v_thing ->> 'kind'
    when 'run' then striatumd.why_run(v_thing ->> 'run_id')
    when 'session' then striatumd.why_session(v_thing ->> 'session_id')
    when 'supervisor' then striatumd.why_session(v_thing ->> 'session_id')
    when 'blocker' then striatumd.why_blocker(v_thing ->> 'id')
    when 'effect' then '{"waits_for": [], "next": ["striatum doctor"]}'
    else striatumd.why_job(v_thing ->> 'job_id') end;
  if v_thing ->> 'kind' not in ('run', 'job', 'session', 'blocker', 'effect')
     and v_why -> 'next' = '[]' then
    v_why := v_why || jsonb_build_object('next', jsonb_build_array(
      format('striatum why %s', coalesce(v_thing ->> 'job_id', v_thing ->> 'session_id'))));
  end if;
  return striatumd.decided(v_thing || jsonb_build_object('job', (
      select workflow_job_id from striatumd.jobs where job_id = v_thing ->> 'job_id'),
    'session', (
      select concat_ws('-', role_id, lane_id, ordinal) from striatumd.sessions
       where session_id = v_thing ->> 'session_id')) || v_why, '[]', '[]');
end
$$;

insert into striatumd.methods (method, summary, capability, scope, lock_class, changes, lane,
  params, error_codes, cli_path, cli_positionals, cli_shows, examples)
values ('why', 'Say what an id names, what it waits for, and what to do next', 'read',
  'single_repo', 'none', false, true, '{
  "type": "object", "additionalProperties": false, "required": ["id"],
  "properties": {
    "repository_id": {"type": "string", "minLength": 1, "maxLength": 128,
                      "description": "The repository; that of the working directory"},
    "id":            {"type": "string", "minLength": 1, "maxLength": 128,
                      "description":
                 "Of a run, of what belongs to one, of an effect; a job''s or session''s name"}}}',
  '{id_unknown}', '{why}', '{id}',
  '{id, kind, what, state, job, session, run_id, severity, verdict, blocked_downstream_jobs,
    waits_for}',
  '{"striatum why job_0123456789abcdef", "striatum why run_0123456789abcdef --json"}');
