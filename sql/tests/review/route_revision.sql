-- Once more through a cycle. Within the bound: see submit; beyond: see checkpoint_resolve.
begin;
select plan(4);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
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
update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.draft');
update striatumd.queue_messages set state = 'done';
select tap.queued('r.review');
create function pg_temp.routed(p_is_extra boolean) returns jsonb language sql as $$
  select striatumd.route_revision(pg_temp.call(), j, null, 'why', p_is_extra)
    from striatumd.jobs j where job_id = tap.id('job', 'r.review')
$$;
create function pg_temp.cycle() returns text language sql as $$
  select concat(iterations, ' of ', max_iterations) from striatumd.job_cycles
$$;

-- does
select is(tap.after('select pg_temp.routed(false)', 'select pg_temp.cycle()'), '1 of 1',
  'an iteration is used');
select is(tap.after('select pg_temp.routed(true)', 'select pg_temp.cycle()'), '1 of 2',
  'or one more is there, and used');
create temp table routed as select pg_temp.routed(false) as events;
select is(events #> '{0,payload,changes,0}', jsonb_build_object('of', 'cycle',
  'id', tap.id('job', 'r.review'), 'from', '{"iterations": 0}'::jsonb,
  'to', '{"iterations": 1}'::jsonb), 'its change comes first') from routed;

-- at the boundary
select tap.refused('select pg_temp.routed(false)', 'job_cycles_stay_in_bounds');

select * from finish();
rollback;
