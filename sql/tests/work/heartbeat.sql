-- work.heartbeat: a lease lasts longer.
-- STR-QUEUE-06: it is refreshed.
-- B008: whoever says so in time keeps the work, however long it takes.
begin;
select plan(13);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage();
select tap.session('one', 'author'), tap.session('two', 'author'), tap.leased('one', 'r.draft');
update striatumd.leases
   set acquired_at = '2026-11-30T09:50:00Z', expires_at = '2026-11-30T10:20:00Z';
create function pg_temp.beat(p_more jsonb default '{}', p_session text default 'one') returns text
  language sql as $$
  select coalesce(reply #>> '{error,code}', reply #>> '{data,expires_at}')
    from tap.ask(p_session, 'work.heartbeat', jsonb_build_object('lease_id',
      tap.id('lease', 'oner.draft')) || p_more) as reply
$$;

-- refuses
select is(pg_temp.beat('{}', 'two'), 'lease_not_held', 'not another''s');
select is_empty('select from striatumd.events', 'which changes nothing');

-- does
select is(pg_temp.beat(), '2026-11-30T10:30:00.000000Z', 'as long as at the claim, from now on');
select is(pg_temp.beat('{"extend_seconds": 3600}'), '2026-11-30T11:00:00.000000Z', 'or as asked');
select is(pg_temp.beat('{"extend_seconds": 1}'), '2026-11-30T11:00:00.000000Z', 'never shorter');
select rows_are('select event_type::text, lease_id, payload_json::jsonb -> ''changes''
  from striatumd.events limit 1', $$ select 'lease.heartbeat', tap.id('lease', 'oner.draft'),
  '[]'::jsonb $$, 'each is an event that changes nothing of the record');
select is((select count(*) from striatumd.events), 3::bigint, 'one each');
select rows_are('select expires_at from striatumd.leases',
  array['2026-11-30T11:00:00Z'::timestamptz], 'and is kept');

-- does: three times as long as the lease lasts, a heartbeat each third of it, and the work is done
create temp table beats as
  select n, pg_temp.beat() as until, jsonb_array_length(striatumd.sweep_run(tap.call())) as swept
    from generate_series(1, 9) as n, set_config('striatum.test_now', to_char(
           timestamp '2026-11-30T11:00:00' + n * interval '10 minutes',
           'YYYY-MM-DD"T"HH24:MI:SS"Z"'), true) as now, tap.authorize();
select rows_are('select until from beats order by n offset 6', array['2026-11-30T12:40:00.000000Z',
  '2026-11-30T12:50:00.000000Z', '2026-11-30T13:00:00.000000Z'], 'the lease moves with each');
select is(sum(swept), 0::bigint, 'and nobody takes the work away') from beats;
select tap.published('one', 'r.draft');
select is(tap.ask('one', 'work.complete', jsonb_build_object('lease_id',
  tap.id('lease', 'oner.draft')), tap.attested('one') || tap.copies()) #>> '{data,job_state}',
  'completed', 'in the end it is completed');
create temp table before as select count(*) as n from striatumd.events;
update striatumd.sessions set state = 'lost', closed_at = now();
select is(pg_temp.beat(), 'session_inactive', 'who has ended holds nothing');
select is((select count(*) from striatumd.events), n, 'and adds nothing') from before;

select * from finish();
rollback;
