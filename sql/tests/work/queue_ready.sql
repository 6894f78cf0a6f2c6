-- Which jobs come into the queue.
begin;
select plan(7);

-- given
select tap.open_door(), tap.run_stage(), tap.session('one', 'author'), tap.authorize();
create function pg_temp.ready(p_after text) returns text language sql as $$
  select coalesce(string_agg(j.workflow_job_id, ' ' order by n), '')
    from jsonb_array_elements(striatumd.queue_ready(
    (tap.client_id('ada'), null, tap.id('sess', 'one'),
    tap.id('repo', 'app'), tap.id('run', 'r'), null, null, null,
    '2026-11-30T10:00:00Z')::striatumd.call_context, tap.id('job', 'r.' || p_after),
           'x')) with ordinality as events (e, n)
    join striatumd.jobs j on j.job_id = e ->> 'job_id'
$$;

select is(pg_temp.ready('draft'), '', 'none whose draft is not completed');
update striatumd.jobs set state = 'completed' where workflow_job_id = 'draft';
select is(pg_temp.ready('review'), '', 'after a job only what it leads to is looked at');
select is(pg_temp.ready('draft'), 'review', 'what waited for it');
select is(pg_temp.ready('draft'), '', 'once');
insert into striatumd.job_edges
values (tap.id('run', 'r'), tap.id('job', 'r.draft'), tap.id('job', 'r.synthesis'));
select is(pg_temp.ready('draft'), '', 'none that waits for another, too');
update striatumd.jobs set state = 'pending' where workflow_job_id in ('draft', 'review');
delete from striatumd.job_edges;
update striatumd.queue_messages set state = 'done';
select is(pg_temp.ready(null), 'draft review synthesis',
  'of the whole run, in the order of the workflow');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.queue_ready(null, null, null)', '28000',
  'daemon_authority_missing', 'not without the daemon''s secret');

select * from finish();
rollback;
