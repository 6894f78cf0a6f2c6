-- Since when an agent has held no work.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('ann', 'author'), tap.session('bare', 'author', 'r', null),
       tap.session('early', 'author', p_supervisor => 'starting');
create function pg_temp.since(p_name text) returns timestamptz language sql as $$
  select striatumd.idle_at(tap.id('sess', p_name))
$$;

-- does
select is(pg_temp.since('ann'), timestamptz '2026-01-01Z', 'since its start');
select is(pg_temp.since('bare'), null, 'without an agent nobody says');
select is(pg_temp.since('early'), null, 'nor while it is being started');
select tap.leased('ann', 'r.draft');
select is(pg_temp.since('ann'), null, 'nor while it holds work');
update striatumd.leases set state = 'released', ended_at = '2026-01-02Z', release_reason = 'x',
       acquired_at = '2026-01-01Z';
select is(pg_temp.since('ann'), timestamptz '2026-01-02Z', 'then since its last work');
select striatumd.end_session(tap.call(), tap.id('sess', 'ann'), 'closed', 'explicit', 'enough');
select is(pg_temp.since('ann'), null, 'of a session that has ended nothing');

select * from finish();
rollback;
