-- why: what an id names, what it waits for, and what to do next.
begin;
select plan(17);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author');
select tap.leased('ann', 'r.draft');
update striatumd.leases set acquired_at = '2026-01-02Z';
select striatumd.open_blocker(tap.call(), tap.id('job', 'r.review'), 'blocked', 'test', 'Why',
  '{}');
insert into striatumd.effects values ('eff_0123456789abcdef', 'thing_there', '{}',
  tap.id('repo', 'app'), 'c', 'r', 'failed', 3, '2026-01-01Z', '2026-01-01Z', null, 'no room');
create function pg_temp.ask(p_id text, p_client text default 'ada') returns jsonb
  language sql as $$
  select tap.ask(p_client, 'why', jsonb_build_object('id', p_id,
    'repository_id', tap.id('repo', 'app')))
$$;
create function pg_temp.waits(p_id text) returns jsonb language sql as $$
  select pg_temp.ask(p_id) #> '{data,waits_for}'
$$;

-- does: a thing, with what it belongs to by name
select is(pg_temp.ask(tap.id('job', 'r.review')) #> '{data}', thing || jsonb_build_object(
    'job', 'review', 'session', null) || striatumd.why_job(tap.id('job', 'r.review')), 'a job')
  from striatumd.thing_found(tap.id('repo', 'app'), tap.id('job', 'r.review')) as thing;
select is(pg_temp.ask(lease_id) #>> '{data,session}', 'author-author-1', 'a session by its name')
  from striatumd.leases;

-- does: each kind waits for what it belongs to
select is(pg_temp.waits(tap.id('run', 'r')),
  striatumd.why_run(tap.id('run', 'r')) -> 'waits_for', 'a run');
select is(pg_temp.waits(tap.id(prefix, 'ann')),
  '["it holds job draft since 2026-01-02T00:00:00.000000Z"]', says)
  from (values ('sess', 'a session'), ('sup', 'a supervisor, as its session')) as t (prefix, says);
select is(pg_temp.waits(blocker_id), '["an operator"]', 'a blocker') from striatumd.blockers;
select is(pg_temp.waits(id), striatumd.why_job(tap.id('job', 'r.draft')) -> 'waits_for',
    what || ', as its job')
  from (select message_id::text, 'a message' from striatumd.leases
        union all select lease_id, 'a lease' from striatumd.leases
        union all select packet_id, 'a packet' from striatumd.work_packets) as things (id, what);
select is(pg_temp.ask('eff_0123456789abcdef') #> '{data,next}', '["striatum doctor"]', 'an effect');

-- does: where nothing is to be done, it leads on
update striatumd.jobs set state = 'completed' where job_id = tap.id('job', 'r.draft');
update striatumd.leases set state = 'released', ended_at = now(), release_reason = 'completed';
select is(pg_temp.ask(lease_id) #> '{data,next}',
  jsonb_build_array('striatum why ' || tap.id('job', 'r.draft')), 'to its job')
  from striatumd.leases;

-- does: a session's token
select is(tap.code(pg_temp.ask(tap.id('job', 'r.draft'), 'ann')), 'ok', 'its own run');
select is(tap.code(pg_temp.ask(id, 'ann')), 'id_unknown', says) from (values
  (tap.id('run', 's'), 'no other run'),
  ('eff_0123456789abcdef', 'and no effect')) as bad (id, says);

-- does: a name
select is(pg_temp.ask('author-author-1') #>> '{data,id}', tap.id('sess', 'ann'),
  'a name that one has');
select is(pg_temp.ask('draft') -> 'error', jsonb_build_object('code', 'id_unknown',
  'message', 'draft is the name of 2 here', 'details', jsonb_build_object('id', 'draft', 'ids',
    striatumd.ids_named(tap.id('repo', 'app'), 'draft')),
  'next', array(select 'striatum why ' || id
    from unnest(striatumd.ids_named(tap.id('repo', 'app'), 'draft')) as id)),
  'a name that two have');

-- refuses
select is(pg_temp.ask('job_0000000000000000') -> 'error', jsonb_build_object('code', 'id_unknown',
  'message', 'job_0000000000000000 names nothing here',
  'details', '{"id": "job_0000000000000000"}'::jsonb,
  'next', '["striatum status", "striatum list runs"]'::jsonb), 'an id that names nothing');

select * from finish();
rollback;
