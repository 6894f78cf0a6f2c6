-- A run as replies show it.
begin;
select plan(4);

-- given
select tap.open_door();
select tap.run_stage(run) from unnest('{r,fresh,ended}'::text[]) as run;
update striatumd.runs set state = 'ready', started_at = null where run_id = tap.id('run', 'fresh');
select tap.ended('ended', 'completed');
create temp table shown as
  select run_id, striatumd.run_shown(r, '2026-01-01 00:00:01.5Z') as run from striatumd.runs r;

-- does
select is(run, jsonb_build_object('run_id', run_id, 'workflow', 'wf @ 1', 'name', 'a workflow',
  'state', 'running', 'branch_name', 'striatum/r', 'base_commit', repeat('a', 40),
  'created_at', '2026-01-01T00:00:00.000000Z', 'started_at', '2026-01-01T00:00:00.000000Z',
  'completed_at', null, 'duration_ms', 1500, 'completion_mode', null, 'stop_reason', null),
  'one under way lasts until now') from shown where run_id = tap.id('run', 'r');
select is(run -> 'duration_ms', 'null', 'one that has not started does not')
  from shown where run_id = tap.id('run', 'fresh');
select is(run -> 'duration_ms', '172800000', 'one that ended lasts no longer')
  from shown where run_id = tap.id('run', 'ended');
select is(run ->> 'completion_mode', 'lanes_attested', 'and how it was completed is told')
  from shown where run_id = tap.id('run', 'ended');

select * from finish();
rollback;
