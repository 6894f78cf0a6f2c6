-- What stands before every verdict. As a whole: see submit and verdict.
begin;
select plan(6);

-- given
select tap.open_door(), tap.run_stage(), tap.authorize();
select tap.session('s', 'reviewer'), tap.session('other', 'reviewer');
update striatumd.queue_messages set state = 'done';
select tap.queued('r.review'), tap.leased('s', 'r.review'), tap.published('s', 'r.review');
create function pg_temp.gate(p_session text default 's', p_seen jsonb default '{}') returns text
  language plpgsql as $$
declare
  v_call striatumd.call_context := tap.call();
  v_gate striatumd.decision;
begin
  v_call.session_id := tap.id('sess', p_session);
  v_call.observed := tap.attested(p_session) || tap.copies() || p_seen;
  v_gate := striatumd.reviewer_gate(v_call, tap.id('lease', 'sr.review'));
  return coalesce(v_gate.refusal ->> 'code', 'may');
exception when sqlstate 'ST001' then
  return sqlerrm;
end
$$;

-- does
select is(pg_temp.gate(), 'may', 'whoever holds the review, and lives');
select is(pg_temp.gate('other'), 'lease_not_held', 'nobody else');
select is(tap.after($$ update striatumd.jobs set is_verdict = false $$, 'select pg_temp.gate()'),
  'job_takes_no_verdict', 'nor of a job that is no review');
select is(pg_temp.gate('s', tap.attested('s', '{"state": "unknown"}')),
  'session_backend_unattested', 'nor by a lane that nothing proves');
select is(pg_temp.gate('s', tap.attested('other')), 'observation_stale', 'nor by a look elsewhere');
select is(pg_temp.gate('s', tap.copies('{"path": "x"}')), 'observation_stale',
  'nor where its artifact was not looked at');

select * from finish();
rollback;
