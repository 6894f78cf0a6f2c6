-- A job that wants an attested lane.
-- STR-REVIEW-19: the refusal names what starts the session's agent.
begin;
select plan(9);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('s', 'reviewer');
select tap.session('bare', 'reviewer', p_supervisor => null);
select tap.session('early', 'reviewer', p_supervisor => 'starting');
create function pg_temp.next(p_more jsonb default '{}', p_session text default 's',
    p_wants boolean default true)
  returns text language plpgsql as $$
declare
  v_call   striatumd.call_context;
  v_job    striatumd.jobs;
  v_detail text;
begin
  v_call.observed := tap.attested(p_session, p_more);
  select * into v_job from striatumd.jobs where job_id = tap.id('job', 'r.review');
  v_job.spec := v_job.spec || jsonb_build_object('require_attested_lane', p_wants);
  perform striatumd.require_attested_lane(v_call, v_job, tap.id('sess', p_session));
  return 'may';
exception when sqlstate 'ST001' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail::jsonb ->> 'code' || ': ' || (v_detail::jsonb #>> '{next,0}');
end
$$;

-- does
select is(pg_temp.next(), 'may', 'an attested one may');
select is(pg_temp.next(p_session => 'bare', p_wants => false), 'may',
  'where none is wanted, any may');

-- refuses
select is(pg_temp.next(p_session => 'bare'), 'session_backend_unattested: '
  'striatum supervise start --session-id ' || tap.id('sess', 'bare'), 'no agent at all');
select is(left(pg_temp.next(jsonb_build_object('state', state)), 26), 'session_backend_unattested',
  'its process is ' || state) from unnest(array['gone', 'differs', 'unknown']) as state;
select is(
  tap.after('update striatumd.process_supervisors set observed_command = ''["other"]''',
    'select left(pg_temp.next(), 26)'), 'session_backend_unattested', 'another command');

-- at the boundary
select is(pg_temp.next(p_session => 'early'), 'may', 'one that is only starting is another''s say');
select is(pg_temp.next('{"agent_pid": 1}'), 'may', 'and so is one that has to be looked at again');

select * from finish();
rollback;
