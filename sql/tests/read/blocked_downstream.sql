-- The jobs that wait for what is blocked or failed.
begin;
select plan(7);

-- given
select tap.open_door();
select tap.run_stage();
select tap.run_stage('s');
create function pg_temp.waiting(p_job text, p_state striatumd.job_state) returns text
  language sql as $$
  select tap.after(format('update striatumd.jobs set state = %L where job_id = %L', p_state,
    tap.id('job', p_job)), $q$
    select string_agg(concat(j ->> 'job', j -> 'stopped_by'), ' ' order by n)
      from jsonb_array_elements(striatumd.blocked_downstream(tap.id('repo', 'app'), null))
        with ordinality as e (j, n) $q$)
$$;

-- does
select is(pg_temp.waiting('r.draft', state), waiting, 'a job ' || state::text) from (values
  ('queued'::striatumd.job_state, null), ('completed', null),
  ('blocked', 'review["draft"] synthesis["draft"]'),
  ('waiting_human', 'review["draft"] synthesis["draft"]'),
  ('failed', 'review["draft"] synthesis["draft"]')) as states (state, waiting);
select is(pg_temp.waiting('r.review', 'blocked'), 'synthesis["review"]', 'only what comes after');
select is(pg_temp.waiting('r.synthesis', 'blocked'), null, 'after the last nothing does');

select * from finish();
rollback;
