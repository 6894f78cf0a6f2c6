-- A job taken out of its run, with what waits for it.
begin;
select plan(5);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.run_stage('q');
select tap.session('s', 'author');
select tap.leased('s', 'r.draft');
create function pg_temp.call() returns striatumd.call_context language plpgsql as $$
declare
  v_call striatumd.call_context;
begin
  v_call.repository_id := tap.id('repo', 'app');
  v_call.run_id := tap.id('run', 'r');
  v_call.client_id := tap.client_id('ada');
  v_call.at := '2026-01-02Z';
  v_call.observed := '{}';
  return v_call;
end
$$;
create function pg_temp.states(p_run text) returns text language sql as $$
  select string_agg(state::text, ' ' order by ordinal)
    from striatumd.jobs where run_id = tap.id('run', p_run)
$$;
create function pg_temp.canceled(p_job text) returns jsonb language sql as $$
  select striatumd.cancel_gated(pg_temp.call(), tap.id('job', p_job), 'why')
$$;

-- does
select is(tap.after($$ select pg_temp.canceled('r.draft') $$, $$ select pg_temp.states('r') $$),
  'canceled canceled canceled', 'all that could only have begun behind it');
select is(tap.after($$ select pg_temp.canceled('r.draft') $$, $$
  select concat(l.state, ' ', m.state, ' ', a.outcome) from striatumd.leases l
    join striatumd.queue_messages m using (message_id)
    join striatumd.job_attempts a on a.job_id = l.job_id $$), 'released canceled canceled',
  'its lease, its message and its attempt end');
select is(tap.after($$ select pg_temp.canceled('r.draft') $$, $$ select pg_temp.states('q') $$),
  'queued pending pending', 'another run goes on');
update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.draft');
select is(tap.after($$ select pg_temp.canceled('r.review') $$, $$ select pg_temp.states('r') $$),
  'completed canceled canceled', 'what came before it stays');
select is(jsonb_path_query_array(pg_temp.canceled('r.review'),
  '$[*].payload.changes[*] ? (@.of == "job").to.state'), '["canceled", "canceled"]',
  'each job is in the event');

select * from finish();
rollback;
